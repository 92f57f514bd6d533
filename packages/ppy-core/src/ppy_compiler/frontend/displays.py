"""Displays with starred items, and mappings of keyword arguments: shared by literals, calls, subscripts and classes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ppy_compiler.dialects.py import containers as py
from ppy_compiler.frontend import folding
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def constant_or(b: FunctionBuilder, node: ast.expr) -> Value:
    """``node``, where only its items count: a list or set display of constants is a constant tuple or frozenset."""
    if not isinstance(node, (ast.List, ast.Set)) or not all(isinstance(i, folding.LITERALS) for i in node.elts):
        return b.expr(node)
    values = b.exprs(node.elts)
    span = Span.of(node)
    literals = folding.take_back(b, node.elts, values)
    if literals is not None:
        return b.const(tuple(literals) if isinstance(node, ast.List) else frozenset(literals), span)
    if isinstance(node, ast.List):
        return b.emit(py.BuildTuple(values, span=span)).value
    return b.emit(py.BuildSet(values, span=span)).value


def has_star(items: Sequence[ast.expr]) -> bool:
    return any(isinstance(item, ast.Starred) for item in items)


def starred_list(b: FunctionBuilder, items: Sequence[ast.expr], span: Span) -> Value:
    """A fresh list of ``items``, of which some are starred."""
    first = _first_star(items)
    result = b.emit(py.BuildList(b.exprs(list(items[:first])), span=span)).value
    for item in items[first:]:
        if isinstance(item, ast.Starred):
            b.emit(py.ListExtend(result, b.expr(item.value), span=span))
        else:
            b.emit(py.ListAppend(result, b.expr(item), span=span))
    return result


def starred_set(b: FunctionBuilder, items: Sequence[ast.expr], span: Span) -> Value:
    first = _first_star(items)
    result = b.emit(py.BuildSet(b.exprs(list(items[:first])), span=span)).value
    for item in items[first:]:
        if isinstance(item, ast.Starred):
            b.emit(py.SetUpdate(result, b.expr(item.value), span=span))
        else:
            b.emit(py.SetAdd(result, b.expr(item), span=span))
    return result


def _first_star(items: Sequence[ast.expr]) -> int:
    return next(i for i, item in enumerate(items) if isinstance(item, ast.Starred))


def argument_tuple(b: FunctionBuilder, args: Sequence[ast.expr], leading: Sequence[Value], span: Span) -> Value:
    """Positional arguments of a call that unpacks, after ``leading``; a single ``*iterable`` is passed as it is."""
    if not leading and len(args) == 1 and isinstance(args[0], ast.Starred):
        return b.expr(args[0].value)
    if not has_star(args):
        return b.emit(py.BuildTuple([*leading, *b.exprs(list(args))], span=span)).value
    first = _first_star(args)
    result = b.emit(py.BuildList([*leading, *b.exprs(list(args[:first]))], span=span)).value
    for item in args[first:]:
        if isinstance(item, ast.Starred):
            b.emit(py.ListExtend(result, b.expr(item.value), span=span))
        else:
            b.emit(py.ListAppend(result, b.expr(item), span=span))
    return b.emit(py.ListToTuple(result, span=span)).value


def keyword_dict(b: FunctionBuilder, callee: Value, keywords: Sequence[ast.keyword], span: Span) -> Value | None:
    """Keyword arguments of a call that unpacks, as a mapping; ``None`` when there are none."""
    result: Value | None = None
    run: list[Value] = []

    def flush() -> None:
        nonlocal result, run
        part = b.emit(py.BuildDict(run, span=span)).value
        run = []
        if result is None:
            result = part
        else:
            b.emit(py.DictMerge(callee, result, part, span=span))

    for keyword in keywords:
        if keyword.arg is not None:
            run += [b.const(keyword.arg, span), b.expr(keyword.value)]
            continue
        if run or result is None:
            flush()
        assert result is not None
        b.emit(py.DictMerge(callee, result, b.expr(keyword.value), span=span))
    if run:
        flush()
    return result
