"""Making function objects: closures, defaults."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import functions as py
from ppy_compiler.frontend import folding, names
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.scopes import Scope
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def make(
    b: FunctionBuilder,
    scope: Scope,
    line: int,
    span: Span,
    body: Callable[[FunctionBuilder], None],
    *,
    defaults: Value | None = None,
    kwdefaults: Value | None = None,
    annotations: Value | None = None,
    extra: Mapping[str, Any] = MappingProxyType({}),
) -> Value:
    """The function object of ``scope``, whose code begins at ``line`` and is built by ``body``."""
    job = b.module.function(b, scope, line, span, body, extra)
    if job is None:
        return b.const(None, span)  # CPython found that control cannot come here
    cells = [names.cell(b, name) for name in job.code.co_freevars]
    op = b.emit(py.MakeFunction(defaults, kwdefaults, annotations, cells, func=job.sym, span=span))
    op.value.hint = scope.name if scope.name.isidentifier() else ""
    return op.value


def positional_defaults(b: FunctionBuilder, args: ast.arguments, span: Span) -> Value | None:
    if not args.defaults:
        return None
    values = b.exprs(args.defaults)
    literals = folding.take_back(b, args.defaults, values)
    if literals is not None:
        return b.const(tuple(literals), span)
    return b.emit(py_containers.BuildTuple(values, span=span)).value


def keyword_defaults(b: FunctionBuilder, args: ast.arguments, span: Span) -> Value | None:
    items: list[Value] = []
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            items += [b.const(b.scope.mangle(arg.arg), span), b.expr(default)]
    return b.emit(py_containers.BuildDict(items, span=span)).value if items else None
