"""Constants, locals, globals, cells."""

from __future__ import annotations

from collections.abc import Callable

from ppy_compiler.dialects.py import names as py
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.body.worker import Trusted, Worker
from ppy_compiler.lower.closure import look_up, only_called
from ppy_compiler.lower.fits import is_literal, word
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
    if body.speculates:
        body.deopt_unless(body.present(op.argument))
    elif body.nullable(op.argument):
        absent = body.b.not_(body.present(op.argument))
        cold, go = body.b.new_block("unbound"), body.b.new_block()
        body.b.cond_br(absent, cold, go, likely=False)
        body.b.at(cold)
        body.b.call("ppy_raise_unbound", [body.b.i32(KINDS[op.kind]), body.constant(op.var)])
        body.fail()
        body.b.at(go)
    body.define_same(op.value, op.argument)


def load_global(body: Body, op: py.LoadGlobal) -> None:
    if isinstance(body, Worker) and _trust(body, op):
        return
    if not body.general and body.fn.closed and only_called(body.fn, op.value):
        body.callees.add(op.value)
        return
    if not body.general and is_expected(body, op):
        if not body.holds:
            require_expected(body, op, body.deopt_unless)
        _define_expected(body, op)
        return
    body.define(op.value, body.new("ppy_global_load", body.unit, body.b.i64(body.fn.unit.cell(op.var))))


def is_expected(body: Body, op: py.LoadGlobal) -> bool:
    """Whether the name is known to hold a built-in function that is only called, or a number, under a guard."""
    if expected_builtin(body, op.value) is not None:
        return True
    return body.global_literal(op.value) is not None and body.repr(op.value) is not Repr.OBJ


def _trust(body: Worker, op: py.LoadGlobal) -> bool:
    """What a global holds, taken for granted: it is compared before the body is started."""
    if only_called(body.fn, op.value):
        target = next(target for call, target in body.fn.direct.items() if call.callee is op.value)
        body.callees.add(op.value)
        body.trusted[op.var] = Trusted(function=target)
        return True
    builtin = expected_builtin(body, op.value)
    if builtin is not None:
        body.known[op.value] = expected = body.fn.unit.builtin(builtin)
        body.trusted[op.var] = Trusted(builtin=expected)
        return True
    found, kind = body.global_literal(op.value), body.repr(op.value)
    if found is None or kind is Repr.OBJ:
        return False
    expected = body.b.const(word(found.value, kind), kind.native)
    body.trusted[op.var] = Trusted(literal=word(found.value, kind), kind=kind)
    body.define(op.value, expected, kind)
    return True


def require_expected(body: Body, op: py.LoadGlobal, require: Callable[[Value], None]) -> None:
    """The guard: the name still holds it. Outside of loops it is worth asking what it holds where nothing is known, as
    at the first use of a name: the rest of the call would be the twin's."""
    if body.speculates:
        return  # whoever started the body has compared it
    b, builtin, cell = body.b, expected_builtin(body, op.value), body.fn.unit.cell(op.var)
    if body.fn.outline.regions or op.parent not in body.fn.loops.hot:
        held = look_up(b, cell, body.need_gil)
    else:
        held = b.call1("ppy_global_peek", [body.unit, b.i64(cell)], OBJECT)
    if builtin is not None:
        require(b.cmp("eq", held, body.constant(body.fn.unit.builtin(builtin))))
        return
    kind, literal = body.repr(op.value), _literal(body, op)
    require(b.not_(b.is_null(held)))
    payload, ok = body.unbox(held, kind)
    require(b.binary("and", ok, is_literal(b, payload, kind, literal)))


def _define_expected(body: Body, op: py.LoadGlobal) -> None:
    builtin, kind = expected_builtin(body, op.value), body.repr(op.value)
    if builtin is not None:
        body.known[op.value] = body.fn.unit.builtin(builtin)
    else:
        body.define(op.value, body.b.const(word(_literal(body, op), kind), kind.native), kind)


def _literal(body: Body, op: py.LoadGlobal) -> object:
    found = body.global_literal(op.value)
    assert found is not None
    return found.value


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
