"""Raising, matching, the handled exception."""

from __future__ import annotations

from ppy_compiler.dialects.py import exceptions as py
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.reprs import Repr


def raise_(body: Body, op: py.Raise) -> None:
    b = body.b
    if op.exception is None:
        traced, plain = b.new_block(), b.new_block()
        b.cond_br(b.nonzero(b.call1("ppy_reraise", [body.ctx], I32)), traced, plain)
        b.at(traced)
        body.fail()
        b.at(plain)
        body.fail(trace=False)
        return
    exception = body.obj(op.exception)
    cause = body.obj(op.cause) if op.cause is not None else b.null()
    body.enter_frame()
    b.call("ppy_raise", [exception, cause])
    body.fail()


def reraise(body: Body, op: py.Reraise) -> None:
    body.b.call("ppy_restore", [body.take(op.exception)])
    body.fail(trace=False)


def push_exc(body: Body, op: py.PushExc) -> None:
    body.define(op.previous, body.b.call1("ppy_push_exc", [body.ctx, body.obj(op.exception)], OBJECT))


def pop_exc(body: Body, op: py.PopExc) -> None:
    body.b.call("ppy_pop_exc", [body.ctx, body.take(op.previous)])


def exc_match(body: Body, op: py.ExcMatch) -> None:
    exception, pattern = body.obj(op.exception), body.obj(op.pattern)
    body.enter_frame()
    body.define(op.value, body.tri("ppy_exc_match", exception, pattern), Repr.BIT)


def group_match(body: Body, op: py.ExcGroupMatch) -> None:
    b, out = body.b, body.b.array(16)
    exception, pattern = body.obj(op.exception), body.obj(op.pattern)
    body.enter_frame()
    body.status("ppy_exc_group_match", exception, pattern, out, b.offset(out, 8))
    body.define(op.matched, b.load(out, 0, OBJECT))
    body.define(op.rest, b.load(out, 8, OBJECT))


def prep_reraise_star(body: Body, op: py.PrepReraiseStar) -> None:
    original, exceptions = body.obj(op.original), body.obj(op.exceptions)
    body.enter_frame()
    body.define(op.value, body.new("ppy_prep_reraise_star", original, exceptions))


def nothing(body: Body, op: py.LoadAssertionError) -> None:
    """Read from the interpreter at each use."""


HANDLERS: Handlers = {
    py.Raise: raise_,
    py.Reraise: reraise,
    py.PushExc: push_exc,
    py.PopExc: pop_exc,
    py.ExcMatch: exc_match,
    py.ExcGroupMatch: group_match,
    py.PrepReraiseStar: prep_reraise_star,
    py.LoadAssertionError: nothing,
}
