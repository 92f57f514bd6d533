"""Loading, storing and deleting a name, whatever it means where it stands."""

from __future__ import annotations

from collections.abc import Callable

from ppy_compiler.dialects.py import names as py
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.native import FRAME_READERS
from ppy_compiler.frontend.scopes import Kind, Variable
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.support.spans import Span

DECLARABLE = frozenset((Kind.LOCAL, Kind.CELL, Kind.FREE, Kind.GLOBAL))
"""Variables whose annotation reaches inference; a class body's namespace may be anything."""


def load(b: FunctionBuilder, name: str, span: Span) -> Value:
    if name == "__debug__":
        return b.const(b.module.asserts, span)
    variable = b.scope.lookup(b.scope.mangle(name))
    kind = variable.kind
    if kind is Kind.FREE and b.scope.kind == "class":
        kind = Kind.NAME_OR_FREE  # even where it is declared nonlocal
    value = LOADS[kind](b, variable, span)
    if not value.hint:
        value.hint = variable.name
    return value


def store(b: FunctionBuilder, name: str, value: Value, span: Span) -> None:
    variable = b.scope.lookup(b.scope.mangle(name))
    if variable.kind in DECLARABLE:
        value = _declared(b, variable, value, span)
    match variable.kind:
        case Kind.LOCAL:
            old = b.read(variable.key)
            b.write(variable.key, value)
            drop(b, variable.name, old, span)
        case Kind.CELL | Kind.FREE:
            b.emit(py.StoreCell(b.cells[variable.key], value, var=variable.name, span=span))
        case Kind.GLOBAL:
            b.emit(py.StoreGlobal(value, var=variable.name, span=span))
        case _:
            b.emit(py.StoreName(value, var=variable.name, span=span))


def _declared(b: FunctionBuilder, variable: Variable, value: Value, span: Span) -> Value:
    """``value`` marked with the annotation that declares the variable; a literal's type needs no such assumption."""
    annotation = b.scope.declaration(variable.name)
    if annotation is None:
        return value
    if isinstance(value, OpResult) and isinstance(value.op, py.Const) and type(value.op.literal).__name__ == annotation:
        return value
    return b.emit(py.Annotated(value, var=variable.name, annotation=annotation, span=span)).value


def delete(b: FunctionBuilder, name: str, span: Span) -> None:
    variable = b.scope.lookup(b.scope.mangle(name))
    match variable.kind:
        case Kind.LOCAL:
            old = _load_local(b, variable, span)
            b.write(variable.key, b.unbound())
            drop(b, variable.name, old, span)
        case Kind.CELL | Kind.FREE:
            b.emit(py.DelCell(b.cells[variable.key], var=variable.name, kind=_cell_kind(variable), span=span))
        case Kind.GLOBAL:
            b.emit(py.DelGlobal(var=variable.name, span=span))
        case _:
            b.emit(py.DelName(var=variable.name, span=span))


def drop(b: FunctionBuilder, name: str, value: Value, span: Span | None) -> None:
    """The binding of local ``name`` to ``value`` ends; nothing can notice that of a constant."""
    if not (isinstance(value, OpResult) and isinstance(value.op, (py.Const, py.Unbound))):
        b.drops.append(b.emit(py.Drop(value, var=name, span=span)))


def drop_locals(b: FunctionBuilder, span: Span | None) -> None:
    """The function ends: its locals go in their order, then its cells."""
    host = b.scope.host
    if not host.is_function:
        return
    for name in b.code.co_varnames:
        if host.lookup(name).kind is Kind.LOCAL:
            drop(b, name, b.read(name), span)
    for name in b.code.co_cellvars:
        if name in host.cells:
            drop(b, name, b.cells[name], span)


def cell(b: FunctionBuilder, name: str) -> Value:
    """The cell of ``name`` that an inner function takes along."""
    return b.cells[b.scope.cell_key(name)]


def _load_local(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    value = b.read(variable.key)
    if b.ssa.is_phi(value) or value is b.unbound():
        check = b.emit(py.CheckBound(value, var=variable.name, span=span))
        b.checks.append(check)
        return check.value
    return value


def _cell_kind(variable: Variable) -> str:
    return "local" if variable.kind is Kind.CELL else "free"


def _load_cell(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    return b.emit(py.LoadCell(b.cells[variable.key], var=variable.name, kind=_cell_kind(variable), span=span)).value


def _load_global(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    if variable.name in FRAME_READERS:
        b.features.add("frame")
    return b.emit(py.LoadGlobal(var=variable.name, span=span)).value


def _load_name(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    return b.emit(py.LoadName(var=variable.name, span=span)).value


def _load_name_or_cell(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    return b.emit(py.LoadNameOrCell(b.cells[variable.key], None, var=variable.name, span=span)).value


def _class_namespace(b: FunctionBuilder, span: Span) -> Value:
    return _load_cell(b, Variable(Kind.FREE, "__classdict__", "__classdict__"), span)


def _load_class_or_global(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    return b.emit(py.LoadNameOrGlobal(_class_namespace(b, span), var=variable.name, span=span)).value


def _load_class_or_free(b: FunctionBuilder, variable: Variable, span: Span) -> Value:
    namespace = _class_namespace(b, span)
    return b.emit(py.LoadNameOrCell(b.cells[variable.key], namespace, var=variable.name, span=span)).value


LOADS: dict[Kind, Callable[[FunctionBuilder, Variable, Span], Value]] = {
    Kind.LOCAL: _load_local,
    Kind.CELL: _load_cell,
    Kind.FREE: _load_cell,
    Kind.GLOBAL: _load_global,
    Kind.NAME: _load_name,
    Kind.NAME_OR_FREE: _load_name_or_cell,
    Kind.CLASS_OR_GLOBAL: _load_class_or_global,
    Kind.CLASS_OR_FREE: _load_class_or_free,
}


def unbind(b: FunctionBuilder, name: str, span: Span) -> None:
    """The end of ``except ... as name``: cleared even if the clause deleted it."""
    store(b, name, b.const(None, span), span)
    delete(b, name, span)
