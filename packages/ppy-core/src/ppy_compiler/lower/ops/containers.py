"""Displays, their growing forms, unpacking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppy_compiler.dialects.py import containers as py
from ppy_compiler.ir import Op, Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.elements import packs
from ppy_compiler.lower.ops.handler import Handlers


def _display(callee: str, per: int = 1, runs: bool = False) -> Callable[[Body, py.BuildTuple], None]:
    def build(body: Body, op: py.BuildTuple) -> None:
        if callee == "ppy_make_tuple" and packs(body, op):
            return
        body.assumed.doubt_all()
        vector = body.vector(op.items)
        if runs:
            body.enter_frame()
        body.define(op.value, body.new(callee, vector, body.b.i64(len(op.items) // per)))

    return build


def _grow(callee: str, runs: bool = True) -> Callable[[Body, Op], None]:
    def grow(body: Body, op: Op) -> None:
        operands = [body.obj(value) for value in op.operands]
        if runs:
            body.enter_frame()
        body.status(callee, *operands)

    return grow


def dict_merge(body: Body, op: py.DictMerge) -> None:
    target, mapping, callee = body.obj(op.dict), body.obj(op.items), body.obj(op.callee)
    body.enter_frame()
    body.status("ppy_dict_merge", target, mapping, callee)


def list_to_tuple(body: Body, op: py.ListToTuple) -> None:
    body.define(op.value, body.new("PyList_AsTuple", body.obj(op.list)))


def unpack(body: Body, op: py.Unpack) -> None:
    _unpack(body, op.iterable, op.items, "ppy_unpack_sequence", (len(op.items),))


def unpack_ex(body: Body, op: py.UnpackEx) -> None:
    _unpack(body, op.iterable, op.items, "ppy_unpack_ex", (op.before, op.after))


def _unpack(body: Body, iterable: Value, items: Sequence[Value], callee: str, counts: tuple[int, ...]) -> None:
    out = body.b.array(8 * len(items) or 8)
    value = body.obj(iterable)
    body.enter_frame()
    answer = body.b.call1(callee, [value, *map(body.b.i64, counts), out], I32)
    body.release_temps()
    body.fail_if(body.b.cmp("slt", answer, body.b.i32(0)))
    for index, item in enumerate(items):
        body.define(item, body.b.load(out, 8 * index, OBJECT))


HANDLERS: Handlers = {
    py.BuildTuple: _display("ppy_make_tuple"),
    py.BuildList: _display("ppy_make_list"),
    py.BuildSet: _display("ppy_make_set", runs=True),
    py.BuildDict: _display("ppy_make_dict", per=2, runs=True),
    py.ListAppend: _grow("ppy_list_append", runs=False),
    py.SetAdd: _grow("PySet_Add"),
    py.DictSet: _grow("PyDict_SetItem"),
    py.ListExtend: _grow("ppy_list_extend"),
    py.SetUpdate: _grow("ppy_set_update"),
    py.DictUpdate: _grow("ppy_dict_update"),
    py.DictMerge: dict_merge,
    py.ListToTuple: list_to_tuple,
    py.Unpack: unpack,
    py.UnpackEx: unpack_ex,
}
