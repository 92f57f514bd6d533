"""Short constructors for Python syntax trees, used where IR is decoded into Python code."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ppy_compiler.support.spans import Span

MARKER = "\0ppy:"


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def assign(targets: Sequence[ast.expr], value: ast.expr) -> ast.Assign:
    return ast.Assign(list(targets), value)


def call(function: ast.expr, *args: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.Call:
    return ast.Call(function, list(args), list(keywords))


def compare(left: ast.expr, kind: ast.cmpop, right: ast.expr) -> ast.Compare:
    return ast.Compare(left, [kind], [right])


def is_marker(const: object) -> bool:
    """Whether a constant stands for an object that is put in its place after compiling."""
    return type(const) is str and const.startswith(MARKER)


def locate(node: ast.AST, span: Span) -> None:
    """Give ``span`` to ``node`` and to all below it that has no place yet."""
    if isinstance(node, ast.expr | ast.stmt | ast.excepthandler | ast.keyword):
        if hasattr(node, "lineno"):
            return
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = span
    for child in ast.iter_child_nodes(node):
        locate(child, span)
