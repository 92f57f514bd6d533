"""Attribute values as text: one canonical spelling per value, read back to an equal value of the same class.

Covers what Python constants are made of (``None``, booleans, ``...``, numbers of all kinds, text, bytes, tuples, frozen
sets) and IR types. The spelling does not depend on the running Python.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

from ppy_compiler.ir.types import Type

WORDS: dict[str, Any] = {"None": None, "True": True, "False": False, "inf": math.inf, "nan": math.nan}


def format_literal(value: Any) -> str:
    """The canonical text of ``value``; ``TypeError`` when it is not a literal."""
    formatter = FORMATTERS.get(type(value))
    if formatter is None:
        raise TypeError(f"{type(value).__name__} is not a literal: {value!r}")
    return formatter(value)


def _format_int(value: int) -> str:
    # Decimal text of a big integer takes quadratic time and is limited by ``sys.set_int_max_str_digits``.
    return str(value) if value.bit_length() <= 64 else hex(value)


def _format_float(value: float) -> str:
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return repr(value)


def _format_tuple(value: tuple[Any, ...]) -> str:
    items = ", ".join(map(format_literal, value))
    return f"({items},)" if len(value) == 1 else f"({items})"


FORMATTERS: dict[type, Callable[[Any], str]] = {
    type(None): repr,
    bool: repr,
    type(...): lambda _: "...",
    int: _format_int,
    float: _format_float,
    complex: lambda v: f"complex({_format_float(v.real)}, {_format_float(v.imag)})",
    str: ascii,
    bytes: repr,
    tuple: _format_tuple,
    frozenset: lambda v: f"frozenset({', '.join(sorted(map(format_literal, v)))})",
    Type: lambda v: f"!{v}",
}


def same_literal(a: Any, b: Any) -> bool:
    """Equal in class, value, sign of zero, and all that down through tuples: interchangeable for a program."""
    if a is b:
        return True
    return type(a) is type(b) and type(a) in FORMATTERS and format_literal(a) == format_literal(b)


def parse_number(text: str) -> int | float:
    """An unsigned number as the printer writes it."""
    value = ast.literal_eval(text)
    assert isinstance(value, int | float)
    return value


def parse_string(text: str) -> str | bytes:
    """A quoted text or bytes token."""
    value = ast.literal_eval(text)
    assert isinstance(value, str | bytes)
    return value


def negated(value: int | float) -> int | float:
    """The value of ``-token``; keeps the sign of zero and of NaN."""
    return math.copysign(math.nan, -1.0) if isinstance(value, float) and math.isnan(value) else -value
