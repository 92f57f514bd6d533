"""``with`` and ``async with``."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import contexts as py
from ppy_compiler.dialects.py import exceptions as py_exceptions
from ppy_compiler.frontend import places, targets
from ppy_compiler.frontend.awaiting import wait
from ppy_compiler.frontend.builder import Frame, FunctionBuilder
from ppy_compiler.frontend.handling import Handling
from ppy_compiler.ir import Block, Value

WithNode = ast.With | ast.AsyncWith


def with_(b: FunctionBuilder, node: WithNode) -> None:
    _item(b, node, 0)


def _item(b: FunctionBuilder, node: WithNode, position: int) -> None:
    """The manager at ``position`` around those after it and the body."""
    item = node.items[position]
    is_async = isinstance(node, ast.AsyncWith)
    span = places.step(item.context_expr, node)
    entering = b.emit(py.WithEnter(b.expr(item.context_expr), is_async=is_async, span=span))
    value = wait(b, entering.value, span, "aenter") if is_async else entering.value
    exit_function = entering.exit
    exit_function.hint = "exit"

    def call_exit(b: FunctionBuilder, exception: Value) -> Value:
        result = b.emit(py.WithExit(exit_function, exception, span=span)).value
        return wait(b, result, span, "aexit") if is_async else result

    def leave(b: FunctionBuilder) -> None:
        call_exit(b, b.const(None, span))

    handler, end = b.handler_block("with"), b.new_block("end")
    with b.within(handler, Frame(b.handler, leave)):
        if item.optional_vars is not None:
            targets.assign(b, item.optional_vars, value)
        if position + 1 < len(node.items):
            _item(b, node, position + 1)
        else:
            b.body(node.body)
    if b.block is not None:
        leave(b)
        b.jump(end)
    if b.enter(handler):
        exception = handler.args[0]
        handling = Handling(b, exception)
        with b.within(handling.cleanup, handling.frame):
            suppressed, goes_on = b.new_block("suppressed"), b.new_block("goes_on")
            b.branch(b.truth(call_exit(b, exception), span), suppressed, goes_on)
        _finish(b, handling, exception, suppressed, goes_on, end)
    b.enter(end)


def _finish(
    b: FunctionBuilder, handling: Handling, exception: Value, suppressed: Block, goes_on: Block, end: Block
) -> None:
    if b.enter(suppressed):
        handling.restore(b)
        b.jump(end)
    if b.enter(goes_on):
        handling.restore(b)
        b.end(py_exceptions.Reraise(exception))
    handling.close(b)


TABLE = {ast.With: with_, ast.AsyncWith: with_}
