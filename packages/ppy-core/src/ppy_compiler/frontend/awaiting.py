"""Waiting for an awaitable."""

from __future__ import annotations

from ppy_compiler.dialects.py import generators as py
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def wait(b: FunctionBuilder, value: Value, span: Span, context: str = "") -> Value:
    """``await value``."""
    return wait_for(b, b.emit(py.GetAwaitable(value, context=context, span=span)).iterator, span)


def wait_for(b: FunctionBuilder, iterator: Value, span: Span) -> Value:
    """Wait for the iterator of an awaitable."""
    return b.emit(py.YieldFrom(iterator, wait=True, span=span)).value
