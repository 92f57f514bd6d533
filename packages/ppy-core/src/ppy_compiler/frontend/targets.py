"""Assigning a value to a target: names, attributes, subscripts, and sequences of targets."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import names, places
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.support.spans import Span


def assign(b: FunctionBuilder, target: ast.expr, value: Value) -> None:
    """Store ``value``; the parts of the target are evaluated now, after the value."""
    match target:
        case ast.Name():
            names.store(b, target.id, value, Span.of(target))
        case ast.Attribute():
            owner = b.expr(target.value)
            b.emit(py.SetAttr(owner, value, attribute=b.scope.mangle(target.attr), span=places.attribute(target)))
        case ast.Subscript():
            container = b.expr(target.value)
            b.emit(py.SetItem(container, b.expr(target.slice), value, span=Span.of(target)))
        case ast.Tuple() | ast.List():
            _unpack(b, target, value)
        case ast.Starred():
            assign(b, target.value, value)
        case _:
            raise AssertionError(f"not a target: {type(target).__name__}")


def _unpack(b: FunctionBuilder, target: ast.Tuple | ast.List, value: Value) -> None:
    span = Span.of(target)
    count = len(target.elts)
    star = next((i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)), None)
    types = [OBJECT] * count
    op: py_containers.Unpack | py_containers.UnpackEx
    if star is None:
        op = b.emit(py_containers.Unpack(value, types=types, span=span))
    else:
        op = b.emit(py_containers.UnpackEx(value, before=star, after=count - star - 1, types=types, span=span))
    for item, part in zip(target.elts, op.results, strict=True):
        assign(b, item, part)
