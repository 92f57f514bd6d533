"""Constants and displays."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import containers as py
from ppy_compiler.frontend import displays, folding
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def constant(b: FunctionBuilder, node: ast.Constant) -> Value:
    return b.const(node.value, Span.of(node))


def tuple_(b: FunctionBuilder, node: ast.Tuple) -> Value:
    span = Span.of(node)
    if displays.has_star(node.elts):
        items = displays.starred_list(b, node.elts, span)
        return b.emit(py.ListToTuple(items, span=span)).value
    values = b.exprs(node.elts)
    literals = folding.take_back(b, node.elts, values)
    if literals is not None:
        return b.const(tuple(literals), span)
    return b.emit(py.BuildTuple(values, span=span)).value


def list_(b: FunctionBuilder, node: ast.List) -> Value:
    span = Span.of(node)
    if displays.has_star(node.elts):
        return displays.starred_list(b, node.elts, span)
    return b.emit(py.BuildList(b.exprs(node.elts), span=span)).value


def set_(b: FunctionBuilder, node: ast.Set) -> Value:
    span = Span.of(node)
    if displays.has_star(node.elts):
        return displays.starred_set(b, node.elts, span)
    return b.emit(py.BuildSet(b.exprs(node.elts), span=span)).value


def dict_(b: FunctionBuilder, node: ast.Dict) -> Value:
    """Runs of ``key: value`` are built together; the first run's dict takes the rest."""
    span = Span.of(node)
    result: Value | None = None
    run: list[Value] = []

    def flush() -> None:
        nonlocal result, run
        if result is None:
            result = b.emit(py.BuildDict(run, span=span)).value
        elif run:
            part = b.emit(py.BuildDict(run, span=span)).value
            b.emit(py.DictUpdate(result, part, span=span))
        run = []

    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            run += [b.expr(key), b.expr(value)]
            continue
        if run or result is None:
            flush()
        assert result is not None
        items = b.expr(value)
        b.emit(py.DictUpdate(result, items, span=span))
    if run or result is None:
        flush()
    assert result is not None
    return result


TABLE = {ast.Constant: constant, ast.Tuple: tuple_, ast.List: list_, ast.Set: set_, ast.Dict: dict_}
