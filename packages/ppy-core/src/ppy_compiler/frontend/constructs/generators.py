"""``yield``, ``yield from``, ``await``."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import generators as py
from ppy_compiler.frontend.awaiting import wait
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def yield_(b: FunctionBuilder, node: ast.Yield) -> Value:
    span = Span.of(node)
    value = b.const(None, span) if node.value is None else b.expr(node.value)
    return b.emit(py.Yield(value, span=span)).sent


def yield_from(b: FunctionBuilder, node: ast.YieldFrom) -> Value:
    span = Span.of(node)
    iterator = b.emit(py.YieldFromIter(b.expr(node.value), span=span)).iterator
    return b.emit(py.YieldFrom(iterator, span=span)).value


def await_(b: FunctionBuilder, node: ast.Await) -> Value:
    return wait(b, b.expr(node.value), Span.of(node))


TABLE = {ast.Yield: yield_, ast.YieldFrom: yield_from, ast.Await: await_}
