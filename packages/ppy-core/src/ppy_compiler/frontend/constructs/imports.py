"""Imports."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import imports as py
from ppy_compiler.frontend import names
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def import_(b: FunctionBuilder, node: ast.Import) -> None:
    span = Span.of(node)
    for alias in node.names:
        module = _import(b, alias.name, 0, None, span)
        first, *rest = alias.name.split(".")
        if alias.asname is None:
            names.store(b, first, module, span)
            continue
        for part in rest:
            module = b.emit(py.ImportFrom(module, var=b.scope.mangle(part), span=span)).value
        names.store(b, alias.asname, module, span)


def import_from(b: FunctionBuilder, node: ast.ImportFrom) -> None:
    span = Span.of(node)
    module = _import(b, node.module or "", node.level, tuple([alias.name for alias in node.names]), span)
    for alias in node.names:
        if alias.name == "*":
            b.emit(py.ImportStar(module, span=span))
        else:
            value = b.emit(py.ImportFrom(module, var=b.scope.mangle(alias.name), span=span)).value
            names.store(b, alias.asname or alias.name, value, span)


def _import(b: FunctionBuilder, module: str, level: int, fromlist: tuple[str, ...] | None, span: Span) -> Value:
    return b.emit(py.ImportName(module=b.scope.mangle(module), level=level, fromlist=fromlist, span=span)).value


TABLE = {ast.Import: import_, ast.ImportFrom: import_from}
