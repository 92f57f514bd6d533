"""Function definitions, lambdas, ``return``."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.frontend import annotating, bodies, closures, names, places, typeparams
from ppy_compiler.frontend.builder import Frame, FunctionBuilder
from ppy_compiler.frontend.symbols import type_params
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def function_def(b: FunctionBuilder, node: FunctionNode) -> None:
    decorators = b.exprs(node.decorator_list)
    span = Span.of(node)
    defaults = closures.positional_defaults(b, node.args, span)
    kwdefaults = closures.keyword_defaults(b, node.args, span)
    if type_params(node):
        value = _generic(b, node, defaults, kwdefaults, span)
    else:
        value = _make(b, node, defaults, kwdefaults, span)
    for decorator, expression in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        value = b.emit(py.Call(decorator, [value], span=Span.of(expression))).value
    names.store(b, node.name, value, span)


def _make(
    b: FunctionBuilder, node: FunctionNode, defaults: Value | None, kwdefaults: Value | None, span: Span
) -> Value:
    def body(inner: FunctionBuilder) -> None:
        inner.body(node.body)
        bodies.finish(inner, Span.of(node.body[-1]))

    return closures.make(
        b,
        b.module.symbols.scopes[node],
        places.first_line(node),
        span,
        body,
        defaults=defaults,
        kwdefaults=kwdefaults,
        annotations=annotating.of_function(b, node),
        extra={"annotations": annotating.sources(node), **b.module.directives.attributes(node.decorator_list)},
    )


def _generic(
    b: FunctionBuilder, node: FunctionNode, defaults: Value | None, kwdefaults: Value | None, span: Span
) -> Value:
    """The function is made inside the scope of its type parameters, which is called at once."""

    def body(inner: FunctionBuilder) -> None:
        params = typeparams.build(inner, type_params(node), span)
        first, second = [
            None if v is None else inner.read(n) for n, v in ((".defaults", defaults), (".kwdefaults", kwdefaults))
        ]
        function = _make(inner, node, first, second, span)
        bodies.return_value(
            inner, typeparams.intrinsic(inner, "set_function_type_params", [function, params], span), span
        )

    scope = b.module.symbols.parts[node, "params"]
    function = closures.make(b, scope, places.first_line(node), span, body)
    args = [value for value in (defaults, kwdefaults) if value is not None]
    return b.emit(py.Call(function, args, span=span)).value


def lambda_(b: FunctionBuilder, node: ast.Lambda) -> Value:
    span = Span.of(node)

    def body(inner: FunctionBuilder) -> None:
        bodies.return_value(inner, inner.expr(node.body), Span.of(node.body))

    return closures.make(
        b,
        b.module.symbols.scopes[node],
        node.lineno,
        span,
        body,
        defaults=closures.positional_defaults(b, node.args, span),
        kwdefaults=closures.keyword_defaults(b, node.args, span),
    )


def return_(b: FunctionBuilder, node: ast.Return) -> None:
    """The value first, then whatever the statements around want done."""
    span = Span.of(node)
    value = b.const(None, span) if node.value is None else b.expr(node.value)

    def then(target: Frame | None) -> None:
        bodies.return_value(b, value, span)

    b.leave(lambda frame: False, then)


TABLE = {ast.FunctionDef: function_def, ast.AsyncFunctionDef: function_def, ast.Lambda: lambda_, ast.Return: return_}
