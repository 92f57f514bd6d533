"""f-strings."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import strings as py
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def joined_str(b: FunctionBuilder, node: ast.JoinedStr) -> Value:
    span = Span.of(node)
    parts = b.exprs(node.values)
    if not parts:
        return b.const("", span)
    return parts[0] if len(parts) == 1 else b.emit(py.BuildString(parts, span=span)).value


def formatted_value(b: FunctionBuilder, node: ast.FormattedValue) -> Value:
    value = b.expr(node.value)
    conversion = "" if node.conversion < 0 else chr(node.conversion)
    spec = None if node.format_spec is None else b.expr(node.format_spec)
    return b.emit(py.FormatValue(value, spec, conversion=conversion, span=Span.of(node))).value


TABLE = {ast.JoinedStr: joined_str, ast.FormattedValue: formatted_value}
