"""Lengths of exact built-in containers."""

from __future__ import annotations

from ppy_compiler.infer.facts import Fact, integer

LONGEST = (1 << 63) - 1


def length_range(fact: Fact) -> Fact:
    """``len(x)``: exact where the length cannot change, else what any length is."""
    known = fact.length
    return integer(known, known) if known is not None else integer(0, LONGEST)
