"""``"..." % (a, b)`` with a literal format of ``%s``, ``%r`` and ``%a`` only: CPython compiles it as an f-string.

That can be seen: each argument is formatted before the next one is evaluated.
"""

from __future__ import annotations

import ast
import re

from ppy_compiler.dialects.py import strings as py
from ppy_compiler.frontend import displays, folding
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span

MAX_DIGITS = 3
_PART = re.compile(
    r"%(?:(?P<percent>%)|(?P<left>-?)(?P<width>[0-9]*)(?:\.(?P<precision>[0-9]*))?(?P<conversion>[sra]))|[^%]+",
    re.DOTALL,
)


def applies(node: ast.BinOp) -> bool:
    match node:
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=ast.Tuple(elts=items)):
            parts = _parts(text)
            if parts is None or displays.has_star(items) or folding.is_literal(node.right):
                return False
            return len(_specs(parts)) == len(items)
    return False


def build(b: FunctionBuilder, node: ast.BinOp, span: Span) -> Value:
    assert isinstance(node.left, ast.Constant)
    assert isinstance(node.right, ast.Tuple)
    arguments = iter(node.right.elts)
    values: list[Value] = []
    for part in _parts(str(node.left.value)) or []:
        if isinstance(part, str):
            values.append(b.const(part, Span.of(node.left)))
            continue
        argument = next(arguments)
        at = Span.of(argument)
        value = b.expr(argument)
        spec = _format_spec(part)
        spec_value = b.const(spec, at) if spec else None
        values.append(b.emit(py.FormatValue(value, spec_value, conversion=part["conversion"], span=at)).value)
    if not values:
        return b.const("", span)
    return values[0] if len(values) == 1 else b.emit(py.BuildString(values, span=span)).value


def _specs(parts: list[str | re.Match[str]]) -> list[re.Match[str]]:
    return [part for part in parts if not isinstance(part, str)]


def _parts(text: str) -> list[str | re.Match[str]] | None:
    """Literal texts and conversions in order; ``None`` when something else is in the format."""
    parts: list[str | re.Match[str]] = []
    position = 0
    while position < len(text):
        match = _PART.match(text, position)
        if match is None or (match["conversion"] and not _is_simple(match)):
            return None
        if match["conversion"]:
            parts.append(match)
        else:
            literal = "%" if match["percent"] else match[0]
            if parts and isinstance(parts[-1], str):
                parts[-1] += literal
            else:
                parts.append(literal)
        position = match.end()
    return parts


def _is_simple(match: re.Match[str]) -> bool:
    return len(match["width"]) < MAX_DIGITS and len(match["precision"] or "") < MAX_DIGITS


def _format_spec(match: re.Match[str]) -> str:
    width, precision = match["width"], match["precision"]
    spec = ("<" if match["left"] else ">") + width if width else ""
    return spec if precision is None else f"{spec}.{precision or 0}"
