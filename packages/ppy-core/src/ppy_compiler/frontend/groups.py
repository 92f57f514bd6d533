"""``except*``: each clause takes its part of a group; what they raise and what is left is raised together."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import exceptions as py
from ppy_compiler.dialects.py import operators as py_operators
from ppy_compiler.frontend import names
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.handling import Handling
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span


def handle(b: FunctionBuilder, node: ast.TryStar, original: Value, end: Block) -> None:
    handling = Handling(b, original)
    rest_key = object()
    with b.within(handling.cleanup, handling.frame):
        raised = b.emit(py_containers.BuildList([])).value
        b.write(rest_key, original)
        for clause in node.handlers:
            _clause(b, clause, rest_key, raised)
        b.emit(py_containers.ListAppend(raised, b.read(rest_key), span=Span.of(node)))
        remaining = b.emit(py.PrepReraiseStar(original, raised, span=Span.of(node))).value
        nothing = b.emit(py_operators.Is(remaining, b.const(None))).value
        done, again = b.new_block("done"), b.new_block("again")
        b.branch(nothing, done, again)
    if b.enter(again):
        handling.restore(b)
        b.end(py.Reraise(remaining))
    if b.enter(done):
        handling.restore(b)
        b.jump(end)
    handling.close(b)


def _clause(b: FunctionBuilder, clause: ast.ExceptHandler, rest_key: object, raised: Value) -> None:
    """Exceptions from the clause's body are collected; control always comes out at the end."""
    assert clause.type is not None
    pattern = b.expr(clause.type)
    span = Span.of(clause)
    split = b.emit(py.ExcGroupMatch(b.read(rest_key), pattern, span=span))
    b.write(rest_key, split.rest)
    matched, following, failing = b.new_block("matched"), b.new_block("next"), b.handler_block("collect")
    nothing = b.emit(py_operators.Is(split.matched, b.const(None))).value
    b.branch(nothing, following, matched)
    b.enter(matched)
    b.emit(py.PushExc(split.matched))
    if clause.name is not None:
        names.store(b, clause.name, split.matched, span)
    with b.within(failing):
        b.body(clause.body)
    if b.block is not None:
        if clause.name is not None:
            names.unbind(b, clause.name, span)
        b.jump(following)
    if b.enter(failing):
        if clause.name is not None:
            names.unbind(b, clause.name, span)
        b.emit(py_containers.ListAppend(raised, failing.args[0], span=span))
        b.jump(following)
    b.enter(following)
