"""Constants, locals, globals, cells."""

from __future__ import annotations

from ppy_compiler.dialects.py import names as py
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.lower.body import Body, word
from ppy_compiler.lower.closure import only_called
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.ops.models import expected_builtin
from ppy_compiler.lower.reprs import Repr

KINDS = {"local": 0, "free": 1, "name": 2}


def nothing(body: Body, op: object) -> None:
    """Made at each use (constants, free cells) or only a mark (``py.drop``: a use that keeps the value alive until
    here)."""


def annotated(body: Body, op: py.Annotated) -> None:
    body.define_same(op.value, op.argument)


def check_bound(body: Body, op: py.CheckBound) -> None:
    if body.nullable(op.argument):
        absent = body.b.not_(body.present(op.argument))
        cold, go = body.b.new_block("unbound"), body.b.new_block()
        body.b.cond_br(absent, cold, go, likely=False)
        body.b.at(cold)
        body.b.call("ppy_raise_unbound", [body.b.i32(KINDS[op.kind]), body.constant(op.var)])
        body.fail()
        body.b.at(go)
    body.define_same(op.value, op.argument)


def load_global(body: Body, op: py.LoadGlobal) -> None:
    if not body.general and body.fn.closed and only_called(body.fn, op.value):
        body.callees.add(op.value)
        return
    builtin = None if body.general else expected_builtin(body, op.value)
    if builtin is not None:
        _builtin(body, op, builtin)
        return
    literal = body.global_literal(op.value)
    if literal is not None and _constant(body, op, literal.value):
        return
    body.define(op.value, body.new("ppy_global_load", body.unit, body.b.i64(body.fn.unit.cell(op.var))))


def _builtin(body: Body, op: py.LoadGlobal, name: str) -> None:
    """A built-in function that is only called: the guard is that the name still means it."""
    expected = body.fn.unit.builtin(name)
    held = body.b.call1("ppy_global_peek", [body.unit, body.b.i64(body.fn.unit.cell(op.var))], OBJECT)
    body.deopt_unless(body.b.cmp("eq", held, body.constant(expected)))
    body.known[op.value] = expected


def _constant(body: Body, op: py.LoadGlobal, literal: object) -> bool:
    """A module-level constant: the guard is that the name still holds that number."""
    b, kind = body.b, body.repr(op.value)
    if kind is Repr.OBJ:
        return False
    held = b.call1("ppy_global_peek", [body.unit, b.i64(body.fn.unit.cell(op.var))], OBJECT)
    body.deopt_unless(b.not_(b.is_null(held)))
    payload, ok = body.unbox(held, kind)
    expected = b.const(word(literal, kind), kind.native)
    same = b.cmp("oeq" if kind is Repr.F64 else "eq", payload, expected)
    body.deopt_unless(b.binary("and", ok, same))
    body.define(op.value, payload if kind is Repr.F64 else expected, kind)
    return True


def store_global(body: Body, op: py.StoreGlobal) -> None:
    body.status("ppy_global_store", body.unit, body.b.i64(body.fn.unit.cell(op.var)), body.obj(op.value))


def del_global(body: Body, op: py.DelGlobal) -> None:
    body.status("ppy_global_del", body.unit, body.b.i64(body.fn.unit.cell(op.var)))


def make_cell(body: Body, op: py.MakeCell) -> None:
    body.define(op.cell, body.new("PyCell_New", body.obj(op.value)))


def load_cell(body: Body, op: py.LoadCell) -> None:
    kind = body.b.i32(KINDS[op.kind])
    body.define(op.value, body.new("ppy_cell_load", body.obj(op.cell), body.constant(op.var), kind))


def store_cell(body: Body, op: py.StoreCell) -> None:
    body.b.call("ppy_cell_store", [body.obj(op.cell), body.take(op.value)])


def del_cell(body: Body, op: py.DelCell) -> None:
    cell = body.obj(op.cell)
    value = body.new("ppy_cell_load", cell, body.constant(op.var), body.b.i32(KINDS[op.kind]))
    body.b.call("ppy_cell_store", [cell, body.b.null()])
    body.b.decref(value)


HANDLERS: Handlers = {
    py.Const: nothing,
    py.Unbound: nothing,
    py.FreeCell: nothing,
    py.Drop: nothing,
    py.Annotated: annotated,
    py.CheckBound: check_bound,
    py.LoadGlobal: load_global,
    py.StoreGlobal: store_global,
    py.DelGlobal: del_global,
    py.MakeCell: make_cell,
    py.LoadCell: load_cell,
    py.StoreCell: store_cell,
    py.DelCell: del_cell,
}
