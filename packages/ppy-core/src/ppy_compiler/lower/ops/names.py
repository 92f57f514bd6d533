"""Constants, locals, globals, cells."""

from __future__ import annotations

from ppy_compiler.dialects.py import names as py
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.closure import only_called

KINDS = {"local": 0, "free": 1, "name": 2}


def nothing(body: Body, op: object) -> None:
    """Made at each use (constants, free cells) or only a mark (``py.drop``: a use that keeps the value alive until here)."""


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
    body.define(op.value, body.new("ppy_global_load", body.unit, body.b.i64(body.fn.unit.cell(op.var))))


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


HANDLERS = {
    py.Const: nothing, py.Unbound: nothing, py.FreeCell: nothing, py.Drop: nothing, py.Annotated: annotated, py.CheckBound: check_bound,
    py.LoadGlobal: load_global, py.StoreGlobal: store_global, py.DelGlobal: del_global, py.MakeCell: make_cell, py.LoadCell: load_cell,
    py.StoreCell: store_cell, py.DelCell: del_cell,
}
