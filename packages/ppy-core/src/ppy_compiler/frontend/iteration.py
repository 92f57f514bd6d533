"""The steps of a loop over an iterator, shared by loop statements and comprehensions."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import exceptions as py_exceptions
from ppy_compiler.dialects.py import generators as py_generators
from ppy_compiler.dialects.py import iteration as py
from ppy_compiler.dialects.py.loops import Poll
from ppy_compiler.frontend import displays, places
from ppy_compiler.frontend.awaiting import wait_for
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span


def iterate(b: FunctionBuilder, iterable: ast.expr, span: Span, *, is_async: bool = False) -> Value:
    """The (asynchronous) iterator of an expression."""
    value = displays.constant_or(b, iterable)
    if is_async:
        return b.emit(py_generators.AIter(value, span=span)).iterator
    return b.emit(py.Iter(value, span=span)).iterator


def enter_header(b: FunctionBuilder, header: Block, loop: ast.AST) -> None:
    """Begin a loop; its header stays open for the edges back."""
    b.jump(header)
    b.ssa.loop(header, b.module.symbols.loop_stores[loop])
    b.enter(header, seal=False)
    b.emit(Poll(span=places.turn(loop)))


def next_item(b: FunctionBuilder, iterator: Value, body: Block, end: Block, span: Span) -> Value:
    """Go to ``body`` with the next item, or to ``end``."""
    step = b.emit(py.Next(iterator, span=span))
    step.item.hint = "item"
    b.branch(step.more, body, end, span)
    return step.item


def next_awaited(b: FunctionBuilder, iterator: Value, span: Span) -> tuple[Value, Block]:
    """The next item of an asynchronous iterator and the handler that sees its end (see :func:`end_async`)."""
    handler = b.handler_block("async_end")
    with b.within(handler):
        awaitable = b.emit(py_generators.ANext(iterator, span=span)).awaitable
        item = wait_for(b, awaitable, span)
    return item, handler


def end_async(b: FunctionBuilder, handler: Block, end: Block, span: Span) -> None:
    """StopAsyncIteration ends the loop; any other exception goes on."""
    b.enter(handler)
    exception = handler.args[0]
    other = b.new_block("not_the_end")
    test = b.emit(py_generators.IsStopAsync(exception, span=span)).value
    b.branch(test, end, other)
    if b.enter(other):
        b.end(py_exceptions.Reraise(exception))
