"""``while``, ``for``, ``async for``, ``break``, ``continue``."""

from __future__ import annotations

import ast

from ppy_compiler.frontend import iteration, places, targets
from ppy_compiler.frontend.builder import Frame, FunctionBuilder
from ppy_compiler.frontend.conditions import branch_on
from ppy_compiler.ir import Block
from ppy_compiler.support.spans import Span


def while_(b: FunctionBuilder, node: ast.While) -> None:
    header, body, otherwise, end = b.new_block("while"), b.new_block("body"), b.new_block("else"), b.new_block("end")
    iteration.enter_header(b, header, node)
    branch_on(b, node.test, body, otherwise, node)
    _body(b, node.body, body, header, end)
    _orelse(b, node.orelse, otherwise, end)


def for_(b: FunctionBuilder, node: ast.For) -> None:
    header, body, otherwise, end = b.new_block("for"), b.new_block("body"), b.new_block("else"), b.new_block("end")
    iterator = iteration.iterate(b, node.iter, places.step(node.iter, node))
    iteration.enter_header(b, header, node)
    item = iteration.next_item(b, iterator, body, otherwise, places.step(node.iter, node))
    b.enter(body)
    targets.assign(b, node.target, item)
    _body(b, node.body, None, header, end)
    _orelse(b, node.orelse, otherwise, end)


def async_for(b: FunctionBuilder, node: ast.AsyncFor) -> None:
    header, otherwise, end = b.new_block("async_for"), b.new_block("else"), b.new_block("end")
    iterator = iteration.iterate(b, node.iter, places.step(node.iter, node), is_async=True)
    iteration.enter_header(b, header, node)
    item, handler = iteration.next_awaited(b, iterator, Span.of(node))
    targets.assign(b, node.target, item)
    _body(b, node.body, None, header, end)
    iteration.end_async(b, handler, otherwise, Span.of(node.iter))
    _orelse(b, node.orelse, otherwise, end)


def _body(b: FunctionBuilder, statements: list[ast.stmt], body: Block | None, header: Block, end: Block) -> None:
    """The statements in ``body`` (or here), then back to the header, which is complete then."""
    if body is None or b.enter(body):
        with b.within(b.handler, Frame(b.handler, end=end, again=header)):
            b.body(statements)
        b.jump(header)
    b.ssa.seal(header)


def _orelse(b: FunctionBuilder, statements: list[ast.stmt], otherwise: Block, end: Block) -> None:
    if b.enter(otherwise):
        b.body(statements)
        b.jump(end)
    b.enter(end)


def break_(b: FunctionBuilder, node: ast.Break) -> None:
    _leave_to_loop(b, again=False)


def continue_(b: FunctionBuilder, node: ast.Continue) -> None:
    _leave_to_loop(b, again=True)


def _leave_to_loop(b: FunctionBuilder, *, again: bool) -> None:
    def then(loop: Frame | None) -> None:
        assert loop is not None
        target = loop.again if again else loop.end
        assert target is not None
        b.jump(target)

    b.leave(lambda frame: frame.end is not None, then)


TABLE = {ast.While: while_, ast.For: for_, ast.AsyncFor: async_for, ast.Break: break_, ast.Continue: continue_}
