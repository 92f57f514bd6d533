"""Attributes, items, slices."""

from __future__ import annotations

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.infer import atoms
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.ops.modules import module_item
from ppy_compiler.lower.reprs import Repr

INDEXED = {atoms.LIST: ("ppy_is_list", "ppy_list_index"), atoms.TUPLE: ("ppy_is_tuple", "ppy_tuple_index")}


def getattr_(body: Body, op: py.GetAttr) -> None:
    if (item := module_item(body, op, op.value)) is not None:
        body.define(op.value, item)
        return
    *visible, cache = body.cache_operands()
    body.define(op.value, body.new("ppy_getattr", *visible, body.obj(op.object), body.constant(op.attribute), cache))


def setattr_(body: Body, op: py.SetAttr) -> None:
    target, value = body.obj(op.object), body.obj(op.value)
    *visible, cache = body.cache_operands()
    body.status("ppy_setattr", *visible, target, body.constant(op.attribute), value, cache)


def delattr_(body: Body, op: py.DelAttr) -> None:
    target = body.obj(op.object)
    body.enter_frame()
    body.status("PyObject_SetAttr", target, body.constant(op.attribute), body.b.null())


def _sequence(body: Body, value: Value, index: Value) -> tuple[str, str] | None:
    """The inline test and access for a sequence that facts expect, indexed with a word."""
    if body.general or body.repr(index) is not Repr.I64:
        return None
    fact = body.fact(value)
    return INDEXED.get(fact.types & ~atoms.NULL) if fact is not None else None


def getitem(body: Body, op: py.GetItem) -> None:
    inline = _sequence(body, op.object, op.index)
    if inline is None:
        body.define(op.value, _word_item(body, op) if body.repr(op.index) is Repr.I64 else _general_item(body, op))
        return
    b, value = body.b, body.obj(op.object)
    test, access = inline
    out = b.slot(OBJECT)
    fast, general, found, done = (b.new_block(hint) for hint in ("indexed", "general", "found", "done"))
    b.cond_br(b.nonzero(b.call1(test, [value], I32)), fast, general, likely=True)
    b.at(fast)
    item = b.call1(access, [value, body.read(op.index)], OBJECT)
    b.cond_br(b.is_null(item), general, found, likely=False)
    b.at(found)
    b.incref(item)
    b.set(out, item)
    b.br(done)
    b.at(general)
    b.set(out, _general_item(body, op))
    b.br(done)
    b.at(done)
    body.define(op.value, b.get(out))


def _word_item(body: Body, op: py.GetItem) -> Value:
    """Of any object: the index is boxed where that is not a builtin sequence that has the item."""
    if body.repr(op.object) is not Repr.OBJ:
        return _general_item(body, op)
    b = body.b
    out, general, done = b.slot(OBJECT), b.new_block("general"), b.new_block("done")
    item = b.call1("ppy_item_at", [body.obj(op.object), body.read(op.index)], OBJECT)
    b.set(out, item)
    b.cond_br(b.is_null(item), general, done, likely=False)
    b.at(general)
    b.set(out, _general_item(body, op))
    b.br(done)
    b.at(done)
    return b.get(out)


def _general_item(body: Body, op: py.GetItem) -> Value:
    return body.new("ppy_getitem", *body.frame_operands(), body.obj(op.object), body.obj(op.index))


def setitem(body: Body, op: py.SetItem) -> None:
    inline = _sequence(body, op.object, op.index)
    if inline is None or inline[0] != "ppy_is_list":
        _general_store(body, op)
        return
    b, target = body.b, body.obj(op.object)
    fast, general, done = b.new_block("indexed"), b.new_block("general"), b.new_block("done")
    index = body.read(op.index)
    size = b.new_block("in_range")
    b.cond_br(b.nonzero(b.call1("ppy_is_list", [target], I32)), size, general, likely=True)
    b.at(size)
    there = b.call1("ppy_list_index", [target, index], OBJECT)
    b.cond_br(b.is_null(there), general, fast, likely=False)
    b.at(fast)
    kind, native = body.repr(op.value), body.read(op.value)
    if kind is Repr.OBJ:
        b.incref(native)
    else:
        native = body.box(native, kind)
    b.call("ppy_list_store", [target, index, native], I32)
    b.br(done)
    b.at(general)
    _general_store(body, op)
    body.release_temps()
    b.br(done)
    b.at(done)


def _general_store(body: Body, op: py.SetItem) -> None:
    target, index, value = body.obj(op.object), body.obj(op.index), body.obj(op.value)
    body.status("ppy_setitem", *body.frame_operands(), target, index, value)


def delitem(body: Body, op: py.DelItem) -> None:
    target, index = body.obj(op.object), body.obj(op.index)
    body.enter_frame()
    body.status("PyObject_DelItem", target, index)


def build_slice(body: Body, op: py.BuildSlice) -> None:
    step = body.obj(op.step) if op.step is not None else body.b.null()
    body.define(op.value, body.new("PySlice_New", body.obj(op.start), body.obj(op.stop), step))


HANDLERS: Handlers = {
    py.GetAttr: getattr_,
    py.SetAttr: setattr_,
    py.DelAttr: delattr_,
    py.GetItem: getitem,
    py.SetItem: setitem,
    py.DelItem: delitem,
    py.BuildSlice: build_slice,
}
