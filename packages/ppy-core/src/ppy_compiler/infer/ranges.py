"""Integer intervals: what an operation on integers can give.

A range is ``(lo, hi)`` with ``None`` for "unbounded". All functions are exact or err on the large side; the tests
compare them
with Python's own integers. Bounds beyond ``LIMIT`` become unbounded: nothing downstream distinguishes such integers.
"""

from __future__ import annotations

Range = tuple[int | None, int | None]

FULL: Range = (None, None)
I64: Range = (-(1 << 63), (1 << 63) - 1)
U64: Range = (0, (1 << 64) - 1)
LIMIT = 1 << 200
FAR = 1 << 2000
"""Stands for infinity inside a computation."""


def low(r: Range) -> int:
    return -FAR if r[0] is None else r[0]


def high(r: Range) -> int:
    return FAR if r[1] is None else r[1]


def make(lo: int, hi: int) -> Range:
    return (None if lo < -LIMIT else min(lo, LIMIT), None if hi > LIMIT else max(hi, -LIMIT))


def within(r: Range, outer: Range) -> bool:
    """Whether every integer of ``r`` lies in ``outer``."""
    lo, hi = r
    if lo is not None and hi is not None and outer[0] is not None and outer[1] is not None:
        return outer[0] <= lo and hi <= outer[1]
    return low(outer) <= low(r) and high(r) <= high(outer)


def fits_word(r: Range) -> bool:
    """Whether one 64-bit word, signed or unsigned, can hold every integer of ``r``."""
    return within(r, I64) or within(r, U64)


def union(a: Range, b: Range) -> Range:
    return (
        None if a[0] is None or b[0] is None else min(a[0], b[0]),
        None if a[1] is None or b[1] is None else max(a[1], b[1]),
    )


def intersect(a: Range, b: Range) -> Range | None:
    """``None`` when no integer is in both."""
    lo, hi = max(low(a), low(b)), min(high(a), high(b))
    return make(lo, hi) if lo <= hi else None


def add(a: Range, b: Range) -> Range:
    return make(low(a) + low(b), high(a) + high(b))


def sub(a: Range, b: Range) -> Range:
    return make(low(a) - high(b), high(a) - low(b))


def neg(a: Range) -> Range:
    return make(-high(a), -low(a))


def invert(a: Range) -> Range:
    return make(~high(a), ~low(a))


def absolute(a: Range) -> Range:
    lo, hi = low(a), high(a)
    return make(0 if lo <= 0 <= hi else min(abs(lo), abs(hi)), max(abs(lo), abs(hi)))


def mul(a: Range, b: Range) -> Range:
    corners = [x * y for x in (low(a), high(a)) for y in (low(b), high(b))]
    return make(min(corners), max(corners))


def _nonzero_parts(b: Range) -> list[Range]:
    """``b`` without zero, split by sign."""
    parts: list[Range] = []
    if low(b) <= -1:
        parts.append((b[0], min(high(b), -1)))
    if high(b) >= 1:
        parts.append((max(low(b), 1), b[1]))
    return parts


def floordiv(a: Range, b: Range) -> Range | None:
    """``None``: the divisor is always zero."""
    found: Range | None = None
    for part in _nonzero_parts(b):
        corners = [x // y for x in (low(a), high(a)) for y in (low(part), high(part))]
        here = make(min(corners), max(corners))
        found = here if found is None else union(found, here)
    return found


def mod(a: Range, b: Range) -> Range | None:
    """``None``: the divisor is always zero."""
    if (
        b[0] is not None
        and b[0] == b[1] != 0
        and a[0] is not None
        and a[1] is not None
        and a[0] // b[0] == a[1] // b[0]
    ):
        return (a[0] % b[0], a[1] % b[0])
    found: Range | None = None
    for part in _nonzero_parts(b):
        if low(part) >= 1:
            if low(a) >= 0:
                here = a if high(a) < low(part) else make(0, min(high(part) - 1, high(a)))
            else:
                here = make(0, high(part) - 1)
        else:
            here = make(max(low(part) + 1, low(a)), 0) if high(a) <= 0 else make(low(part) + 1, 0)
        found = here if found is None else union(found, here)
    return found


def lshift(a: Range, count: Range) -> Range:
    """For counts that do not raise; ``count`` may be partly negative."""
    least, most = max(low(count), 0), high(count)
    if most > 4096:
        return (0 if low(a) >= 0 else None, 0 if high(a) <= 0 else None)
    corners = [x << y for x in (low(a), high(a)) for y in (min(least, 4096), max(most, 0))]
    return make(min(corners), max(corners))


def rshift(a: Range, count: Range) -> Range:
    least, most = min(max(low(count), 0), 4096), min(max(high(count), 0), 4096)
    lo, hi = a
    return (
        None if lo is None else min(lo >> least, lo >> most),
        None if hi is None else max(hi >> least, hi >> most),
    )


def _bits(*bounds: int) -> int:
    return max((~b if b < 0 else b).bit_length() for b in bounds)


def bit_and(a: Range, b: Range) -> Range:
    if low(a) >= 0 and low(b) >= 0:
        return make(0, min(high(a), high(b)))
    if low(a) >= 0:
        return (0, a[1])
    if low(b) >= 0:
        return (0, b[1])
    bits = _bits(low(a), low(b))
    return make(-(1 << bits), FAR if a[1] is None or b[1] is None else max(high(a), high(b), 0))


def bit_or(a: Range, b: Range) -> Range:
    bits = _bits(low(a), high(a), low(b), high(b))
    if low(a) >= 0 and low(b) >= 0:
        return make(max(low(a), low(b)), (1 << bits) - 1)
    if high(a) < 0 or high(b) < 0:
        lows = [low(r) for r in (a, b) if high(r) < 0]
        return make(max(lows), -1)
    return make(-(1 << bits), (1 << bits) - 1)


def bit_xor(a: Range, b: Range) -> Range:
    bits = _bits(low(a), high(a), low(b), high(b))
    if low(a) >= 0 and low(b) >= 0:
        return make(0, (1 << bits) - 1)
    return make(-(1 << bits), (1 << bits) - 1)


def power(a: Range, b: Range) -> Range:
    """For exponents that are not negative."""
    least, most = max(low(b), 0), high(b)
    lo, hi = low(a), high(a)
    if lo >= 1 or (lo >= 0 and least >= 1):
        return make(_power(lo, least), _power(hi, most))
    if lo >= 0:
        return make(0, max(_power(hi, most), 1))
    largest = max(_power(max(abs(lo), abs(hi)), most), 1)
    if least == most and least % 2 == 0:
        return make(0, largest)
    return make(-largest, largest)


def _power(base: int, exponent: int) -> int:
    if base <= 1:
        return base if exponent else 1
    if exponent * base.bit_length() > 2 * LIMIT.bit_length():
        return FAR
    return int(base**exponent)


OPERATIONS = {"+": add, "-": sub, "*": mul, "<<": lshift, ">>": rshift, "&": bit_and, "|": bit_or, "^": bit_xor}
"""Total operations: a range for any two ranges (shift counts that would raise aside)."""


def widen(old: Range, new: Range, thresholds: list[int]) -> Range:
    """``new`` grown to the next of the ascending ``thresholds`` on each side where it left ``old``."""
    lo, hi = new
    if lo is not None and (old[0] is not None and lo < old[0]):
        lo = next((t for t in reversed(thresholds) if t <= lo), None)
    if hi is not None and (old[1] is not None and hi > old[1]):
        hi = next((t for t in thresholds if t >= hi), None)
    return (lo, hi)
