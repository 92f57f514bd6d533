"""Places where CPython's compiler points elsewhere than the syntax node's own span; tracebacks come from them."""

from __future__ import annotations

import ast

from ppy_compiler.support.spans import Span


def attribute(node: ast.Attribute) -> Span:
    """Of loading or storing an attribute: where it spreads over lines, the attribute's name."""
    span = Span.of(node)
    return _from_name(node, span) if span.line != span.end_line else span


def method_call(call: ast.Call, method: ast.Attribute) -> Span:
    """Of calling a method: begins at the method's name where what precedes it spreads over lines."""
    span = Span.of(call)
    return _from_name(method, span) if span.line != method.end_lineno else span


def _from_name(node: ast.Attribute, span: Span) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    col = node.end_col_offset - len(node.attr)
    if col < 0:
        return span
    end_line = max(node.end_lineno, span.end_line)
    end_col = span.end_col if end_line > node.end_lineno else max(col, span.end_col)
    return Span(node.end_lineno, col, end_line, end_col)


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """``co_firstlineno``: the first decorator's line."""
    return node.decorator_list[0].lineno if node.decorator_list else node.lineno
