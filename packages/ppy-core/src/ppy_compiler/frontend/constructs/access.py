"""Names, attributes, subscripts and slices that are read."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import folding, names, places, supers
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def name(b: FunctionBuilder, node: ast.Name) -> Value:
    return names.load(b, node.id, Span.of(node))


def attribute(b: FunctionBuilder, node: ast.Attribute) -> Value:
    found = supers.load(b, node, method=False)
    if found is not None:
        return found[0]
    value = b.expr(node.value)
    return b.emit(py.GetAttr(value, attribute=b.scope.mangle(node.attr), span=places.attribute(node))).value


def subscript(b: FunctionBuilder, node: ast.Subscript) -> Value:
    value = b.expr(node.value)
    index = b.expr(node.slice)
    span = Span.of(node)
    literals = folding.take_back(b, [node.value, node.slice], [value, index])
    if literals is not None:
        folded = folding.item(*literals)
        if folded is not None:
            return b.const(folded[0], span)
        value, index = [b.const(literal, span) for literal in literals]
    return b.emit(py.GetItem(value, index, span=span)).value


def slice_(b: FunctionBuilder, node: ast.Slice) -> Value:
    span = Span.of(node)
    start, stop = [b.const(None, span) if bound is None else b.expr(bound) for bound in (node.lower, node.upper)]
    step = None if node.step is None else b.expr(node.step)
    return b.emit(py.BuildSlice(start, stop, step, span=span)).value


TABLE = {ast.Name: name, ast.Attribute: attribute, ast.Subscript: subscript, ast.Slice: slice_}
