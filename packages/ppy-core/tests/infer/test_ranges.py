"""Interval arithmetic against Python's own integers."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ppy_compiler.infer import ranges
from ppy_compiler.infer.ranges import Range

SPECIAL = st.sampled_from(
    [0, 1, -1, 2, -2, 63, 64, (1 << 63) - 1, -(1 << 63), 1 << 63, (1 << 64) - 1, 1 << 64, 1 << 90]
)
NUMBERS = st.one_of(SPECIAL, st.integers(-20, 20), st.integers(-(1 << 70), 1 << 70))


@st.composite
def inside(draw: st.DrawFn) -> tuple[Range, int]:
    """A range, possibly unbounded, and an integer in it."""
    lo, value, hi = sorted(draw(st.lists(NUMBERS, min_size=3, max_size=3)))
    return (None if draw(st.integers(0, 5)) == 0 else lo, None if draw(st.integers(0, 5)) == 0 else hi), value


def holds(r: Range | None, value: int) -> bool:
    return r is not None and (r[0] is None or r[0] <= value) and (r[1] is None or value <= r[1])


BINARY: dict[str, tuple[Callable[[Range, Range], Range | None], Callable[[int, int], int]]] = {
    "add": (ranges.add, operator.add),
    "sub": (ranges.sub, operator.sub),
    "mul": (ranges.mul, operator.mul),
    "floordiv": (ranges.floordiv, operator.floordiv),
    "mod": (ranges.mod, operator.mod),
    "and": (ranges.bit_and, operator.and_),
    "or": (ranges.bit_or, operator.or_),
    "xor": (ranges.bit_xor, operator.xor),
}


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary(name: str, data: st.DataObject) -> None:
    abstract, concrete = BINARY[name]
    (a, x), (b, y) = data.draw(inside()), data.draw(inside())
    if name in ("floordiv", "mod") and y == 0:
        return
    assert holds(abstract(a, b), concrete(x, y)), (a, b, x, y)


@pytest.mark.parametrize(
    ("abstract", "concrete"),
    [(ranges.neg, operator.neg), (ranges.invert, operator.invert), (ranges.absolute, abs)],
)
@given(operand=inside())
def test_unary(abstract: Callable[[Range], Range], concrete: Callable[[int], int], operand: tuple[Range, int]) -> None:
    assert holds(abstract(operand[0]), concrete(operand[1]))


COUNTS = st.tuples(st.integers(-3, 200), st.integers(0, 200), st.integers(0, 5000)).map(
    lambda t: ((min(t[0], t[1]), None if t[2] > 4900 else t[1] + t[2]), t[1])
)


@given(operand=inside(), count=COUNTS)
def test_shifts(operand: tuple[Range, int], count: tuple[Range, int]) -> None:
    assert holds(ranges.lshift(operand[0], count[0]), operand[1] << count[1])
    assert holds(ranges.rshift(operand[0], count[0]), operand[1] >> count[1])


SMALL = st.lists(st.integers(-9, 9), min_size=3, max_size=3).map(sorted).map(lambda t: ((t[0], t[2]), t[1]))
EXPONENTS = st.lists(st.integers(0, 6), min_size=3, max_size=3).map(sorted).map(lambda t: ((t[0], t[2]), t[1]))


@given(base=SMALL, exponent=EXPONENTS)
def test_power(base: tuple[Range, int], exponent: tuple[Range, int]) -> None:
    assert holds(ranges.power(base[0], exponent[0]), base[1] ** exponent[1])


@given(a=inside(), b=inside())
def test_union_and_intersection(a: tuple[Range, int], b: tuple[Range, int]) -> None:
    joined = ranges.union(a[0], b[0])
    assert holds(joined, a[1])
    assert holds(joined, b[1])
    common = ranges.intersect(a[0], b[0])
    for value in (a[1], b[1]):
        assert (holds(a[0], value) and holds(b[0], value)) <= holds(common, value)


def test_exact_where_it_matters() -> None:
    """The ranges that decide whether a guard is needed."""
    assert ranges.mod((0, None), (1, 10)) == (0, 9)
    assert ranges.mod((0, 5), (7, 9)) == (0, 5)
    assert ranges.mod((None, None), (-4, -4)) == (-3, 0)
    assert ranges.bit_and((None, None), ranges.U64) == ranges.U64
    assert ranges.floordiv((0, 100), (2, 2)) == (0, 50)
    assert ranges.floordiv(ranges.FULL, (0, 0)) is None
    assert ranges.rshift(ranges.U64, (12, 12)) == (0, (1 << 52) - 1)
    assert ranges.bit_xor(ranges.U64, ranges.U64) == ranges.U64


def test_widening_ends() -> None:
    thresholds = [-10, 0, 10, 100]
    assert ranges.widen((0, 5), (0, 6), thresholds) == (0, 10)
    assert ranges.widen((0, 10), (-1, 11), thresholds) == (-10, 100)
    assert ranges.widen((0, 100), (0, 101), thresholds) == (0, None)
