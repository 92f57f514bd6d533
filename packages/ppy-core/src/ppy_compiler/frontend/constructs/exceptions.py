"""``try`` with ``except`` and ``finally``; ``raise``. As in CPython, ``finally`` is built once per way out."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import exceptions as py
from ppy_compiler.frontend import groups, names
from ppy_compiler.frontend.builder import Frame, FunctionBuilder
from ppy_compiler.frontend.handling import Handling
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span


def try_(b: FunctionBuilder, node: ast.Try | ast.TryStar) -> None:
    if node.finalbody:
        _finally(b, node)
    else:
        _except(b, node)


def _finally(b: FunctionBuilder, node: ast.Try | ast.TryStar) -> None:
    handler, end = b.handler_block("finally"), b.new_block("end")
    with b.within(handler, Frame(b.handler, lambda b: b.body(node.finalbody))):
        if node.handlers:
            _except(b, node)
        else:
            b.body(node.body)
    b.body(node.finalbody)
    b.jump(end)
    if b.enter(handler):
        exception = handler.args[0]
        handling = Handling(b, exception)
        with b.within(handling.cleanup, handling.frame):
            b.body(node.finalbody)
        if b.block is not None:
            handling.restore(b)
            b.end(py.Reraise(exception))
        handling.close(b)
    b.enter(end)


def _except(b: FunctionBuilder, node: ast.Try | ast.TryStar) -> None:
    handler, end = b.handler_block("except"), b.new_block("end")
    with b.within(handler, Frame(b.handler)):
        b.body(node.body)
    b.body(node.orelse)
    b.jump(end)
    if b.enter(handler):
        if isinstance(node, ast.TryStar):
            groups.handle(b, node, handler.args[0], end)
        else:
            _handle(b, node.handlers, handler.args[0], end)
    b.enter(end)


def _handle(b: FunctionBuilder, clauses: list[ast.ExceptHandler], exception: Value, end: Block) -> None:
    handling = Handling(b, exception)
    for clause in clauses:
        following: Block | None = None
        if clause.type is not None:
            with b.within(handling.cleanup, handling.frame):
                pattern = b.expr(clause.type)
                span = Span.of(clause)
                matched, following = b.new_block("matched"), b.new_block("next")
                b.branch(b.emit(py.ExcMatch(exception, pattern, span=span)).value, matched, following)
            b.enter(matched)
        if clause.name is None:
            _clause(b, clause, handling, end)
        else:
            _named_clause(b, clause, clause.name, handling, exception, end)
        if following is not None:
            b.enter(following)
    if b.block is not None:
        handling.restore(b)
        b.end(py.Reraise(exception))
    handling.close(b)


def _clause(b: FunctionBuilder, clause: ast.ExceptHandler, handling: Handling, end: Block) -> None:
    with b.within(handling.cleanup, handling.frame):
        b.body(clause.body)
    if b.block is not None:
        handling.restore(b)
        b.jump(end)


def _named_clause(
    b: FunctionBuilder, clause: ast.ExceptHandler, name: str, handling: Handling, exception: Value, end: Block
) -> None:
    """The name is gone after the clause, however that ends."""
    span = Span.of(clause)
    unbinding = b.handler_block("unbind")

    def leave(b: FunctionBuilder) -> None:
        handling.restore(b)
        names.unbind(b, name, span)

    with b.within(handling.cleanup, handling.frame):
        names.store(b, name, exception, span)
    with b.within(unbinding, Frame(handling.outer, leave)):
        b.body(clause.body)
    if b.block is not None:
        leave(b)
        b.jump(end)
    if b.enter(unbinding):
        with b.within(handling.cleanup):
            names.unbind(b, name, span)
            b.end(py.Reraise(unbinding.args[0]))


def raise_(b: FunctionBuilder, node: ast.Raise) -> None:
    exception = None if node.exc is None else b.expr(node.exc)
    cause = None if node.cause is None else b.expr(node.cause)
    b.end(py.Raise(exception, cause, span=Span.of(node)))


TABLE = {ast.Try: try_, ast.TryStar: try_, ast.Raise: raise_}
