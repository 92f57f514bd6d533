"""Indices as sums of a loop's counter, of what the loop does not change, and of constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppy_compiler.ir import Operation, Value
from ppy_compiler.plugins.specs import ElementSpec

MOST_TIMES = 16
"""How often a term may stand in a sum."""
PRECISE = float(1 << 48)
"""Sums of a few integers up to here are the same in doubles."""


@dataclass(frozen=True, slots=True)
class Sum:
    """An index: each value so many times, and a constant."""

    terms: Mapping[Value, int]
    constant: int

    def plus(self, other: Sum, sign: int) -> Sum:
        merged = dict(self.terms)
        for value, times in other.terms.items():
            merged[value] = merged.get(value, 0) + sign * times
        return Sum({value: times for value, times in merged.items() if times}, self.constant + sign * other.constant)

    @property
    def small(self) -> bool:
        """Whether its parts are such that a few of them cannot overflow."""
        return (
            abs(self.constant) < PRECISE
            and len(self.terms) <= 4
            and all(abs(times) <= MOST_TIMES for times in self.terms.values())
        )


@dataclass(frozen=True, slots=True)
class Access:
    """A load or store: the array, and each index where it is such a sum."""

    op: Operation
    array: Value
    spec: ElementSpec
    indices: tuple[Sum | None, ...]
