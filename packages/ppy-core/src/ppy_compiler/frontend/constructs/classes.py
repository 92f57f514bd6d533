"""Class definitions and type aliases."""

from __future__ import annotations

import ast
import sys
from typing import Any

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import functions as py_functions
from ppy_compiler.dialects.py import names as py_names
from ppy_compiler.frontend import bodies, closures, displays, names, places, typeparams
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.symbols import type_params
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def class_def(b: FunctionBuilder, node: ast.ClassDef) -> None:
    decorators = b.exprs(node.decorator_list)
    span = Span.of(node)
    value = _generic(b, node, span) if type_params(node) else _make(b, node, span)
    for decorator, expression in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        value = b.emit(py.Call(decorator, [value], span=Span.of(expression))).value
    names.store(b, node.name, value, span)


def _make(b: FunctionBuilder, node: ast.ClassDef, span: Span, params: Value | None = None) -> Value:
    """``__build_class__(body, name, *bases, **keywords)``."""
    build = b.emit(py_functions.LoadBuildClass(span=span)).value
    scope = b.module.symbols.scopes[node]
    line = places.first_line(node)
    directives = b.module.directives.attributes(node.decorator_list)
    function = closures.make(
        b, scope, line, span, lambda inner: _body(inner, node, generic=params is not None), extra=directives
    )
    leading = [function, b.const(node.name, span)]
    bases = list(node.bases)
    trailing: list[Value] = []
    if params is not None:
        base = typeparams.intrinsic(b, "subscript_generic", [params], span)
        names.store(b, ".generic_base", base, span)
        trailing = [base]
    if not displays.has_star(bases) and all(k.arg is not None for k in node.keywords):
        args = [*leading, *b.exprs(bases), *trailing, *b.exprs([k.value for k in node.keywords])]
        kwnames = tuple([k.arg for k in node.keywords if k.arg is not None])
        return b.emit(py.Call(build, args, kwnames=kwnames, span=span)).value
    positional = _starred_arguments(b, bases, leading, trailing, span)
    keywords = displays.keyword_dict(b, build, node.keywords, span)
    return b.emit(py.CallEx(build, positional, keywords, span=span)).value


def _starred_arguments(
    b: FunctionBuilder, bases: list[ast.expr], leading: list[Value], trailing: list[Value], span: Span
) -> Value:
    if not trailing or not displays.has_star(bases):
        if trailing:
            return b.emit(py_containers.BuildTuple([*leading, *b.exprs(bases), *trailing], span=span)).value
        return displays.argument_tuple(b, bases, leading, span)
    items = b.emit(py_containers.BuildList(leading, span=span)).value
    b.emit(py_containers.ListExtend(items, displays.starred_list(b, bases, span), span=span))
    for value in trailing:
        b.emit(py_containers.ListAppend(items, value, span=span))
    return b.emit(py_containers.ListToTuple(items, span=span)).value


def _generic(b: FunctionBuilder, node: ast.ClassDef, span: Span) -> Value:
    def body(inner: FunctionBuilder) -> None:
        params = typeparams.build(inner, type_params(node), span)
        names.store(inner, ".type_params", params, span)
        bodies.return_value(inner, _make(inner, node, span, params), span)

    scope = b.module.symbols.parts[node, "params"]
    function = closures.make(b, scope, places.first_line(node), span, body)
    return b.emit(py.Call(function, [], span=span)).value


def _body(b: FunctionBuilder, node: ast.ClassDef, *, generic: bool) -> None:
    start = Span.point(places.first_line(node), 0)

    def store(name: str, value: Value) -> None:
        names.store(b, name, value, start)

    store("__module__", names.load(b, "__name__", start))
    store("__qualname__", b.const(b.code.co_qualname, start))
    if sys.version_info >= (3, 13):
        store("__firstlineno__", b.const(b.code.co_firstlineno, start))
    if generic:
        params = b.emit(py_names.LoadCell(b.cells[".type_params"], var=".type_params", kind="free", span=start)).value
        store("__type_params__", params)
    if b.scope.has_annotations:
        b.emit(py_names.SetupAnnotations(span=start))
    bodies.docstring(b, node.body)
    b.body(node.body)
    if b.block is None:
        return
    if sys.version_info >= (3, 13):
        store("__static_attributes__", b.const(bodies.stored_constant(b.code, "__static_attributes__"), start))
    for name, attribute in (("__classdict__", "__classdictcell__"), ("__class__", "__classcell__")):
        if name in b.cells and name in b.scope.cells:
            store(attribute, b.cells[name])
    result = b.cells["__class__"] if "__class__" in b.scope.cells else b.const(None, start)
    bodies.return_value(b, result, start)


def type_alias(b: FunctionBuilder, node: Any) -> None:
    span = Span.of(node)

    def make(inner: FunctionBuilder, params: Value) -> Value:
        parts = [inner.const(node.name.id, span), params, typeparams.evaluator(inner, node, "value", node.value)]
        triple = inner.emit(py_containers.BuildTuple(parts, span=span)).value
        return typeparams.intrinsic(inner, "typealias", [triple], span)

    def body(inner: FunctionBuilder) -> None:
        bodies.return_value(inner, make(inner, typeparams.build(inner, node.type_params, span)), span)

    if node.type_params:
        function = closures.make(b, b.module.symbols.parts[node, "params"], node.lineno, span, body)
        value = b.emit(py.Call(function, [], span=span)).value
    else:
        value = make(b, b.const(None, span))
    names.store(b, node.name.id, value, span)


TABLE: dict[type[ast.AST], Any] = {ast.ClassDef: class_def}
if sys.version_info >= (3, 12):
    TABLE[ast.TypeAlias] = type_alias
