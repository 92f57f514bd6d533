"""Branches and return."""

from __future__ import annotations

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py import functions as py
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.diamond import choose
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.ops.regions import try_region
from ppy_compiler.lower.reprs import Repr


def br(body: Body, op: cf.Br) -> None:
    try_region(body, op)
    body.b.br(body.goto(op.target))


def cond_br(body: Body, op: cf.CondBr) -> None:
    if choose(body, op):
        return
    condition = body.read(op.condition)
    then, otherwise = body.goto(op.then), body.goto(op.otherwise)
    body.b.cond_br(condition, then, otherwise, likely=op.likely)


def unreachable(body: Body, op: cf.Unreachable) -> None:
    body.b.unreachable()


def return_(body: Body, op: py.Return) -> None:
    returns = Repr.OBJ if body.general else body.fn.returns
    kind = body.repr(op.value)
    if returns is Repr.OBJ:
        native = body.take(op.value)
    elif kind is Repr.OBJ:
        native, ok = body.unbox(body.read(op.value), returns, body.fn.facts.returns)
        body.deopt_unless(ok)
    else:
        native = body.convert_word(body.read(op.value), kind, returns)
    body.release_dying()
    body.leave()
    if body.general:
        body.b.ret(native)
    else:
        body.b.ret(native, body.b.i64(0))


HANDLERS: Handlers = {cf.Br: br, cf.CondBr: cond_br, cf.Unreachable: unreachable, py.Return: return_}
