"""Whether a word lies in the range that facts promise.

Facts hold in fast bodies because guards made them true there. A value that comes from general code (a twin, a call,
a container) has passed none of
them, so whoever takes it into a fast body checks its whole fact: the exact type and the range, not only that a
register can hold it.
"""

from __future__ import annotations

import struct
from typing import Any

from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import I64
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

LIMITS = {Repr.I64: (-(1 << 63), (1 << 63) - 1), Repr.U64: (0, (1 << 64) - 1)}


def in_range(b: NativeBuilder, word: Value, kind: Repr, fact: Fact | None) -> Value | None:
    """A bit that says so; ``None`` when every word of that representation is in range."""
    if kind is Repr.NI64:  # of Python's integers alone the range is known
        number, numpys = b.parts(word)
        inside = in_range(b, number, Repr.I64, fact)
        return None if inside is None else b.binary("or", numpys, inside)
    if fact is None or not kind.is_word:
        return None
    lowest, highest = LIMITS[kind]
    below, above = ("sge", "sle") if kind is Repr.I64 else ("uge", "ule")
    good: Value | None = None
    if fact.lo is not None and fact.lo > lowest:
        good = b.cmp(below, word, b.i64(signed(fact.lo)))
    if fact.hi is not None and fact.hi < highest:
        under = b.cmp(above, word, b.i64(signed(fact.hi)))
        good = under if good is None else b.binary("and", good, under)
    return good


def is_literal(b: NativeBuilder, payload: Value, kind: Repr, literal: object) -> Value:
    """A bit that says whether the payload is that number, floats bit by bit: 0.0 is not -0.0."""
    if kind is Repr.F64:
        (bits,) = struct.unpack("<q", struct.pack("<d", literal))
        return b.cmp("eq", b.cast("bitcast", payload, I64), b.i64(bits))
    return b.cmp("eq", payload, b.const(word(literal, kind), kind.native))


def word(literal: Any, kind: Repr) -> Any:
    """The literal as the constant of ``kind``'s native type."""
    return signed(literal) if kind.is_word else literal


def signed(word: int) -> int:
    """The signed word with the same bits."""
    return (word + (1 << 63)) % (1 << 64) - (1 << 63)
