"""The iterator protocol."""

from __future__ import annotations

from ppy_compiler.dialects.py import iteration as py
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.reprs import Repr


def iter_(body: Body, op: py.Iter) -> None:
    value = body.obj(op.iterable)
    body.enter_frame_for(value)
    body.define(op.iterator, body.new("PyObject_GetIter", value))


def next_(body: Body, op: py.Next) -> None:
    b = body.b
    out = b.array(8)
    b.store(out, 0, b.null())
    iterator = body.obj(op.iterator)
    answer = b.call1("ppy_next", [*body.frame_operands(), iterator, out], I32)
    body.fail_if(b.cmp("slt", answer, b.i32(0)))
    more, item = b.nonzero(answer), b.load(out, 0, OBJECT)
    body.define(op.more, more, Repr.BIT)
    if body.repr(op.item) is Repr.OBJ or not body.alive_after(op.item):
        body.define(op.item, item)
    else:
        define_item(body, op.item, more, item)


def define_item(body: Body, value: Value, more: Value, item: Value) -> None:
    """An item wanted unboxed: only looked at when there is one."""
    b, kind = body.b, body.repr(value)
    out = b.slot(kind.native)
    there, done = b.new_block("item"), b.new_block("done")
    b.cond_br(more, there, done)
    b.at(there)
    payload, ok = body.unbox(item, kind, body.fn.facts.values.get(value))
    fits, misfit = b.new_block("fits"), b.new_block("misfit")
    b.cond_br(ok, fits, misfit, likely=True)
    b.at(misfit)
    body.deopt_with_result(value, item)
    b.at(fits)
    b.decref(item)
    b.set(out, payload)
    b.br(done)
    b.at(done)
    body.define(value, b.get(out), kind)


HANDLERS: Handlers = {py.Iter: iter_, py.Next: next_}
