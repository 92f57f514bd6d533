"""Constants, local variables, globals, class namespaces, cells.

The null marker of unbound variables is the object ``UNBOUND``, which no program can get at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CellType
from typing import Any

from ppy_compiler.dialects.py import names
from ppy_compiler.dialects.py.reference.instructions import unseen
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import compare, is_marker, load, store

NAMESPACE = "%namespace"
"""The parameter of a class body's code that holds its namespace."""
SCRATCH = "%scratch"


class _Unbound:
    __slots__ = ()

    def __repr__(self) -> str:
        return "<unbound>"


UNBOUND: Any = _Unbound()
MESSAGES = {
    "local": (UnboundLocalError, "cannot access local variable '{}' where it is not associated with a value"),
    "free": (NameError, "cannot access free variable '{}' where it is not associated with a value in enclosing scope"),
    "name": (NameError, "name '{}' is not defined"),
}


@unseen
def raise_unbound(var: str, kind: str) -> None:
    error, message = MESSAGES[kind]
    if error is NameError:
        raise NameError(message.format(var), name=var)
    raise error(message.format(var))


@unseen
def find(namespace: Any, var: str) -> Any:
    if type(namespace) is dict:
        return namespace.get(var, UNBOUND)
    try:
        return namespace[var]
    except KeyError:
        return UNBOUND


@unseen
def delete_name(namespace: Any, var: str) -> None:
    try:
        del namespace[var]
        return
    except KeyError:
        pass
    raise_unbound(var, "name")


@unseen
def make_cell(content: Any) -> CellType:
    return CellType() if content is UNBOUND else CellType(content)


@unseen
def content(cell: CellType, var: str, kind: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        pass
    return raise_unbound(var, kind)


@unseen
def find_or_content(cell: CellType, namespace: Any, var: str) -> Any:
    value = find(namespace, var)
    return content(cell, var, "free") if value is UNBOUND else value


@unseen
def ensure_annotations(namespace: Any) -> None:
    if find(namespace, "__annotations__") is UNBOUND:
        namespace["__annotations__"] = {}


@unseen
def delete_content(cell: CellType, var: str, kind: str) -> None:
    content(cell, var, kind)
    del cell.cell_contents


def constant(op: names.Const, e: Emitter) -> Meaning:
    literal = op.literal
    e.alias(op.value, lambda: e.object(literal) if is_marker(literal) else ast.Constant(literal))
    return []


def unbound(op: names.Unbound, e: Emitter) -> Meaning:
    e.alias(op.value, lambda: e.object(UNBOUND))
    return []


def check_bound(op: names.CheckBound, e: Emitter) -> Meaning:
    test = compare(e.value(op.argument), ast.IsNot(), e.object(UNBOUND))
    failure = e.call(raise_unbound, ast.Constant(op.var), ast.Constant(op.kind))
    return ast.IfExp(test, e.value(op.argument), failure)


def drop(op: names.Drop, e: Emitter) -> Meaning:
    """The engine lets go of a value after its last use, and this is one."""
    value = e.value(op.value)
    return [] if isinstance(value, ast.Name | ast.Constant) else [ast.Expr(value)]


def load_global(op: names.LoadGlobal, e: Emitter) -> Meaning:
    return load(op.var)


def store_global(op: names.StoreGlobal, e: Emitter) -> Meaning:
    e.globals.add(op.var)
    return [ast.Assign([store(op.var)], e.value(op.value))]


def delete_global(op: names.DelGlobal, e: Emitter) -> Meaning:
    e.globals.add(op.var)
    return [ast.Delete([ast.Name(op.var, ast.Del())])]


def _or_global(namespace: ast.expr, var: str, e: Emitter) -> ast.expr:
    found = ast.NamedExpr(store(SCRATCH), e.call(find, namespace, ast.Constant(var)))
    return ast.IfExp(compare(found, ast.IsNot(), e.object(UNBOUND)), load(SCRATCH), load(var))


def load_name(op: names.LoadName, e: Emitter) -> Meaning:
    return _or_global(load(NAMESPACE), op.var, e)


def load_name_or_global(op: names.LoadNameOrGlobal, e: Emitter) -> Meaning:
    return _or_global(e.value(op.namespace), op.var, e)


def store_name(op: names.StoreName, e: Emitter) -> Meaning:
    target = ast.Subscript(load(NAMESPACE), ast.Constant(op.var), ast.Store())
    return [ast.Assign([target], e.value(op.value))]


def del_name(op: names.DelName, e: Emitter) -> Meaning:
    return [ast.Expr(e.call(delete_name, load(NAMESPACE), ast.Constant(op.var)))]


def load_locals(op: names.LoadLocals, e: Emitter) -> Meaning:
    return load(NAMESPACE)


def load_name_or_cell(op: names.LoadNameOrCell, e: Emitter) -> Meaning:
    cell = e.value(op.cell)
    namespace = load(NAMESPACE) if op.namespace is None else e.value(op.namespace)
    return e.call(find_or_content, cell, namespace, ast.Constant(op.var))


def setup_annotations(op: names.SetupAnnotations, e: Emitter) -> Meaning:
    namespace = load(NAMESPACE) if e.context.kind == "class" else e.call(globals)
    return [ast.Expr(e.call(ensure_annotations, namespace))]


def annotated(op: names.Annotated, e: Emitter) -> Meaning:
    return e.value(op.argument)


def new_cell(op: names.MakeCell, e: Emitter) -> Meaning:
    return e.call(make_cell, e.value(op.value))


def free_cell(op: names.FreeCell, e: Emitter) -> Meaning:
    return load(cell_parameter(op.var))


def cell_parameter(var: str) -> str:
    """The parameter through which a function's code gets the cell of a free variable."""
    return f"%cell:{var}"


def load_cell(op: names.LoadCell, e: Emitter) -> Meaning:
    return e.call(content, e.value(op.cell), ast.Constant(op.var), ast.Constant(op.kind))


def store_cell(op: names.StoreCell, e: Emitter) -> Meaning:
    value = e.value(op.value)
    return [ast.Assign([ast.Attribute(e.value(op.cell), "cell_contents", ast.Store())], value)]


def del_cell(op: names.DelCell, e: Emitter) -> Meaning:
    return [ast.Expr(e.call(delete_content, e.value(op.cell), ast.Constant(op.var), ast.Constant(op.kind)))]


def _reference(emit: Callable[[Any, Emitter], Meaning], named: bool = False) -> Reference:
    return Reference(emit, named=named)


TABLE = {
    names.Const: _reference(constant),
    names.Unbound: _reference(unbound),
    names.Annotated: _reference(annotated),
    names.SetupAnnotations: _reference(setup_annotations),
    names.CheckBound: _reference(check_bound, named=True),
    names.Drop: Reference(drop, unbinds=True),
    names.LoadGlobal: _reference(load_global),
    names.StoreGlobal: _reference(store_global),
    names.DelGlobal: _reference(delete_global),
    names.LoadName: _reference(load_name),
    names.StoreName: _reference(store_name),
    names.DelName: _reference(del_name),
    names.LoadLocals: _reference(load_locals),
    names.LoadNameOrCell: _reference(load_name_or_cell),
    names.LoadNameOrGlobal: _reference(load_name_or_global, named=True),
    names.MakeCell: _reference(new_cell),
    names.FreeCell: _reference(free_cell),
    names.LoadCell: _reference(load_cell),
    names.StoreCell: Reference(store_cell, order=lambda op: (op.value, op.cell)),
    names.DelCell: _reference(del_cell),
}
