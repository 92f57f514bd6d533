"""Places where CPython's compiler points elsewhere than the syntax node's own span; tracebacks come from them."""

from __future__ import annotations

import ast
import sys

from ppy_compiler.support.spans import Span

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
VERSION: tuple[int, int] = (sys.version_info[0], sys.version_info[1])
PRECISE = VERSION >= (3, 13)
"""Before 3.13 the steps of a statement point at the whole statement."""


def step(part: ast.expr, whole: ast.stmt | ast.expr) -> Span:
    """Of an implicit step (iterating, testing, entering) that concerns ``part`` of ``whole``."""
    return Span.of(part if PRECISE else whole)


def tested(test: ast.expr, whole: ast.stmt | ast.expr) -> Span:
    """Of asking whether ``test`` is true."""
    return Span.of(test if VERSION >= (3, 12) or isinstance(test, ast.Compare) else whole)


def inner_step(iterable: ast.expr, node: Comprehension, depth: int) -> Span:
    """Of iterating in the loop number ``depth`` of a comprehension."""
    return Span.of(iterable if PRECISE else _current(node, depth))


def element(node: Comprehension) -> Span:
    """Of adding an element to a comprehension."""
    if VERSION < (3, 12):
        return Span.of(_current(node, len(node.generators)))
    if isinstance(node, ast.DictComp):
        return Span.join([Span.of(node.key), Span.of(node.value)])
    return Span.of(node.elt)


def _current(node: Comprehension, loops: int) -> ast.expr:
    """What 3.11 points at inside the outermost ``loops`` loops: a comparison among the conditions keeps the place."""
    if VERSION < (3, 12):
        for condition in reversed([c for generator in node.generators[:loops] for c in generator.ifs]):
            comparison = _last_comparison(condition)
            if comparison is not None:
                return comparison
    return node


def failed_assertion(node: ast.Assert) -> tuple[Span, Span]:
    """Of making the AssertionError and of raising it."""
    whole, test = Span.of(node), Span.of(node.test)
    if VERSION >= (3, 13):
        return whole, test
    last = _last_comparison(node.test) if VERSION < (3, 12) else None
    at = whole if last is None else Span.of(last)
    return at, at


def _last_comparison(test: ast.expr) -> ast.Compare | None:
    match test:
        case ast.Compare():
            return test
        case ast.UnaryOp(op=ast.Not()):
            return _last_comparison(test.operand)
        case ast.BoolOp():
            parts = test.values
        case ast.IfExp():
            parts = [test.test, test.body, test.orelse]
        case _:
            return None
    return next((c for c in map(_last_comparison, reversed(parts)) if c is not None), None)


def negation(whole: ast.UnaryOp, comparison: ast.Compare) -> Span:
    """Of a comparison under ``not``."""
    return Span.of(whole if PRECISE else comparison)


def attribute(node: ast.Attribute) -> Span:
    """Of loading or storing an attribute: where it spreads over lines, the attribute's name."""
    span = Span.of(node)
    return _from_name(node, span) if span.line != span.end_line else span


def method_call(call: ast.Call, method: ast.Attribute) -> Span:
    """Of calling a method: begins at the method's name where what precedes it spreads over lines."""
    span = Span.of(call)
    return _from_name(method, span) if span.line != method.end_lineno else span


def _from_name(node: ast.Attribute, span: Span) -> Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    col = node.end_col_offset - len(node.attr)
    if col < 0:
        return span
    end_line = max(node.end_lineno, span.end_line)
    end_col = span.end_col if end_line > node.end_lineno else max(col, span.end_col)
    return Span(node.end_lineno, col, end_line, end_col)


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """``co_firstlineno``: the first decorator's line."""
    return node.decorator_list[0].lineno if node.decorator_list else node.lineno


def turn(loop: ast.AST) -> Span:
    """Where a loop goes on to its next turn: its condition or its iterable."""
    if isinstance(loop, ast.While):
        return Span.of(loop.test)
    if isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension)):
        return Span.of(loop.iter)
    assert isinstance(loop, ast.expr)
    return Span.of(loop)
