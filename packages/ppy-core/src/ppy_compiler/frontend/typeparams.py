"""Type parameters (PEP 695, 696): the scope around a generic function, class or alias, and lazily evaluated parts."""

from __future__ import annotations

import ast
from typing import Any

from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import functions as py
from ppy_compiler.frontend import bodies, closures, names
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span

INTRINSICS = {"ParamSpec": "paramspec", "TypeVarTuple": "typevartuple"}


def intrinsic(b: FunctionBuilder, kind: str, args: list[Value], span: Span) -> Value:
    b.features.add("intrinsic")
    return b.emit(py.TypeIntrinsic(args, kind=kind, span=span)).value


def build(b: FunctionBuilder, params: list[Any], span: Span) -> Value:
    """Make and store the parameters; their tuple."""
    return b.emit(py_containers.BuildTuple([_param(b, param) for param in params], span=span)).value


def _param(b: FunctionBuilder, node: Any) -> Value:
    span = Span.of(node)
    name = b.const(node.name, span)
    bound = getattr(node, "bound", None)
    if bound is not None:
        kind = "typevar_with_constraints" if isinstance(bound, ast.Tuple) else "typevar_with_bound"
        value = intrinsic(b, kind, [name, evaluator(b, node, "bound", bound)], span)
    else:
        value = intrinsic(b, INTRINSICS.get(type(node).__name__, "typevar"), [name], span)
    default = getattr(node, "default_value", None)
    if default is not None:
        value = intrinsic(b, "set_typeparam_default", [value, evaluator(b, node, "default_value", default)], span)
    names.store(b, node.name, value, span)
    return value


def evaluator(b: FunctionBuilder, node: Any, part: str, expression: ast.expr) -> Value:
    """The function that computes a bound, a default or an alias's value when it is asked for."""
    scope = b.module.symbols.parts[node, part]

    def body(inner: FunctionBuilder) -> None:
        bodies.return_value(inner, _evaluate(inner, expression), Span.of(expression))

    span = Span.of(expression)
    return closures.make(b, scope, node.lineno if part == "value" else expression.lineno, span, body)


def _evaluate(b: FunctionBuilder, expression: ast.expr) -> Value:
    if isinstance(expression, ast.Starred):  # the default of a TypeVarTuple
        items = b.expr(expression.value)
        return b.emit(py_containers.Unpack(items, types=[items.type], span=Span.of(expression))).results[0]
    return b.expr(expression)
