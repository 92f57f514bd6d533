"""Numbers against CPython: every function of the numeric part, on edge values and on drawn ones."""

from __future__ import annotations

import math
import operator
import random
import sys
from collections.abc import Callable
from copy import copy
from typing import Any

import pytest
from native_library import function

WORDS = sorted(
    {
        sign * value + delta
        for sign in (1, -1)
        for value in (0, 1, 2**15, 2**30, 2**31, 2**53, 2**60, 2**62)
        for delta in (-1, 0, 1)
    }
    | {2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1, 3, 5, 7, 10, -10, 12345678901234567}
)
FLOATS = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    1.5,
    2.5,
    -2.5,
    3.0,
    1e-300,
    -1e300,
    1e22,
    2.0**53,
    2.0**62,
    2.0**63,
    -(2.0**63),
    1e19,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    0.1,
    7.9,
    -7.9,
    709.9,
    1e308,
    -745.2,
    4503599627370497.5,
]
RANDOM = random.Random(20)


def drawn_word() -> int:
    return RANDOM.randrange(-(2**63), 2**63) >> RANDOM.randrange(64)


def outcome(call: Callable[..., Any], *arguments: Any) -> tuple[Any, ...]:
    """The result with its type and bits, or the exception with its text."""
    try:
        value = call(*arguments)
    except Exception as error:
        return type(error), str(error)
    return type(value), repr(value)


def fits(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def test_unboxing_takes_exact_ints_that_fit() -> None:
    class Subclass(int):
        pass

    for value in [
        *WORDS,
        2**63,
        2**64 - 1,
        2**64,
        -(2**63) - 1,
        2**90,
        -(2**90),
        True,
        False,
        None,
        1.0,
        "1",
        Subclass(3),
    ]:
        word = function("ppy_unbox_i64")(value)
        assert (word.ok, word.value) == ((1, value) if fits(value) else (0, 0)), value
        unsigned = function("ppy_unbox_u64")(value)
        good = type(value) is int and 0 <= value < 2**64
        assert unsigned.ok == good
        assert unsigned.value % 2**64 == (value if good else 0)


def test_unboxing_floats_and_bools() -> None:
    for value in FLOATS:
        real = function("ppy_unbox_f64")(value)
        assert real.ok == 1
        assert repr(real.value) == repr(value)
    for other in (1, True, "x", None):
        assert function("ppy_unbox_f64")(other).ok == 0
    assert [(r.value, r.ok) for r in map(function("ppy_unbox_bool"), (True, False, 1, 0, None))] == [
        (1, 1),
        (0, 1),
        (0, 0),
        (0, 0),
        (0, 0),
    ]


def test_boxing() -> None:
    for value in WORDS:
        assert function("ppy_box_i64")(value) == value
        assert function("ppy_box_u64")(value) == value % 2**64
        assert function("ppy_str_i64")(value) == str(value)
    assert function("ppy_box_bool")(5) is True
    assert function("ppy_box_bool")(0) is False
    for value in [0, -1, 2**63, -(2**63) - 1, 2**127 - 1, -(2**127), 2**64, -(2**64)] + [
        x * y for x in WORDS for y in WORDS[::5]
    ]:
        assert function("ppy_box_i128")(value % 2**64, value >> 64) == value
    for real in FLOATS:
        assert repr(function("ppy_box_f64")(real)) == repr(real)
        assert function("ppy_str_f64")(real) == str(real)


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("ppy_i64_floordiv", operator.floordiv),
        ("ppy_i64_mod", operator.mod),
        ("ppy_i64_shl", lambda a, b: a << b if b < 200 else (0 if a == 0 else None)),
        ("ppy_i64_shr", operator.rshift),
        ("ppy_i64_pow", lambda a, b: (a**b if b < 200 or abs(a) < 2 else None) if b >= 0 else None),
        ("ppy_i64_gcd", math.gcd),
    ],
)
def test_word_arithmetic(name: str, reference: Callable[[int, int], Any]) -> None:
    pairs = [(a, b) for a in WORDS for b in [*WORDS, 4, 13, 63, 64, 100]] + [
        (drawn_word(), drawn_word()) for _ in range(2000)
    ]
    for a, b in pairs:
        try:
            expected = reference(a, b)
        except (ZeroDivisionError, ValueError, OverflowError):
            expected = None
        word = function(name)(a, b)
        assert (word.ok, word.value if word.ok else None) == ((1, expected) if fits(expected) else (0, None)), (a, b)


def test_true_division_rounds_as_python() -> None:
    pairs = [(a, b) for a in WORDS for b in WORDS] + [(drawn_word(), drawn_word()) for _ in range(20000)]
    for a, b in pairs:
        real = function("ppy_i64_truediv")(a, b)
        assert (real.ok, repr(real.value) if real.ok else "") == ((1, repr(a / b)) if b else (0, "")), (a, b)


def test_products_and_powers_modulo() -> None:
    for _ in range(3000):
        a, b, m = drawn_word(), drawn_word(), drawn_word()
        word = function("ppy_i64_mulmod")(a, b, m)
        assert (word.ok, word.value) == ((1, a * b % m) if m else (0, 0)), (a, b, m)
        ua, ub, um = a % 2**64, b % 2**64, m % 2**64
        word = function("ppy_u64_mulmod")(ua, ub, um)
        assert (word.ok, word.value % 2**64) == ((1, ua * ub % um) if um else (0, 0))
    for base in WORDS[::3]:
        for exponent in (-1, 0, 1, 2, 65537, 2**61):
            for m in (0, 1, -1, 2, 7, -7, 2**61 - 1, -(2**63), 2**63 - 1):
                word = function("ppy_i64_powmod")(base, exponent, m)
                good = exponent >= 0 and m != 0
                assert (word.ok, word.value) == ((1, pow(base, exponent, m)) if good else (0, 0)), (base, exponent, m)


def test_small_integer_functions() -> None:
    for value in [*WORDS, *(drawn_word() for _ in range(500))]:
        assert function("ppy_i64_bit_length")(value) == value.bit_length()
        assert function("ppy_i64_hash")(value) == hash(value)
        root = function("ppy_i64_isqrt")(value)
        assert (root.ok, root.value) == ((1, math.isqrt(value)) if value >= 0 else (0, 0))
    for square in range(3037000400, 3037000500):
        for delta in (-1, 0, 1):
            assert function("ppy_i64_isqrt")(square * square + delta).value == math.isqrt(square * square + delta)
    for start, stop, step in [
        (0, 10, 3),
        (10, 0, -3),
        (0, 0, 1),
        (-(2**63), 2**63 - 1, 1),
        (2**63 - 1, -(2**63), -(2**63)),
        (5, 1, 2),
    ]:
        expected = max(0, (stop - start + step - (1 if step > 0 else -1)) // step)
        assert function("ppy_range_length")(start, stop, step) % 2**64 == expected


COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


def test_comparing_ints_with_floats() -> None:
    reals = [*FLOATS, *(float(w) for w in WORDS), *(math.nextafter(float(w), math.inf) for w in WORDS)]
    for a in WORDS:
        for b in reals:
            for op, reference in enumerate(COMPARISONS):
                assert function("ppy_cmp_i64_f64")(a, b, op) == reference(a, b), (a, b, op)


def test_float_to_int() -> None:
    for value in [*FLOATS, *(RANDOM.uniform(-1e19, 1e19) for _ in range(300)), *(x / 2 for x in range(-9, 10))]:
        for name, reference in (("trunc", int), ("floor", math.floor), ("ceil", math.ceil), ("round", round)):
            try:
                expected = reference(value)
            except (ValueError, OverflowError):
                expected = None
            word = function(f"ppy_f64_{name}")(value)
            assert (word.ok, word.value) == ((1, expected) if fits(expected) else (0, 0)), (name, value)
        assert function("ppy_f64_is_integer")(value) == value.is_integer()


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("ppy_f64_truediv", operator.truediv),
        ("ppy_f64_floordiv", operator.floordiv),
        ("ppy_f64_mod", operator.mod),
        ("ppy_f64_pow", operator.pow),
    ],
)
def test_float_arithmetic(name: str, reference: Callable[[float, float], Any]) -> None:
    def native(a: float, b: float) -> Any:
        real = function(name)(a, b)
        return "complex" if real.ok == -1 else real.value

    pairs = [(a, b) for a in FLOATS for b in FLOATS]
    pairs += [(RANDOM.uniform(-100, 100), RANDOM.uniform(-20, 20)) for _ in range(3000)]
    for a, b in pairs:
        expected = outcome(reference, a, b)
        if expected[0] is complex:
            expected = (str, "'complex'")
        assert outcome(native, a, b) == expected, (a, b)


MATH_1 = (
    "sqrt exp exp2 expm1 cbrt log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh "
    "erf erfc degrees radians"
).split(" ")


@pytest.mark.parametrize("name", MATH_1)
def test_math_of_one_argument(name: str) -> None:
    def native(x: float) -> float:
        real = function(f"ppy_math_{name}")(x)
        return real if isinstance(real, float) else real.value

    values = [*FLOATS, *(RANDOM.uniform(-2, 2) for _ in range(300)), *(RANDOM.uniform(-800, 800) for _ in range(300))]
    for value in values:
        assert outcome(native, value) == outcome(getattr(math, name), value), value


@pytest.mark.parametrize("name", ["atan2", "fmod", "pow"])
def test_math_of_two_arguments(name: str) -> None:
    pairs = [(a, b) for a in FLOATS for b in FLOATS] + [
        (RANDOM.uniform(-9, 9), RANDOM.uniform(-9, 9)) for _ in range(500)
    ]
    for a, b in pairs:
        native = outcome(lambda x, y: function(f"ppy_math_{name}")(x, y).value, a, b)
        assert native == outcome(getattr(math, name), a, b), (a, b)


OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    divmod,
    operator.pow,
    operator.lshift,
    operator.rshift,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.matmul,
]
INPLACE = [
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.itruediv,
    operator.ifloordiv,
    operator.imod,
    divmod,
    operator.ipow,
    operator.ilshift,
    operator.irshift,
    operator.iand,
    operator.ior,
    operator.ixor,
    operator.imatmul,
]


@pytest.mark.parametrize("op", range(len(OPERATORS)))
def test_operators_on_objects(op: int) -> None:
    operands: list[tuple[Any, Any]] = [(7, 3), (7, 0), (7, -3), (2**70, 5), ("a", 3), ([1], [2]), ({1}, {2})]
    for a, b in [*operands, (1.5, 2), (None, 1)]:
        assert outcome(function("ppy_binary"), op, a, b) == outcome(OPERATORS[op], a, b)
        assert outcome(function("ppy_inplace"), op, copy(a), b) == outcome(INPLACE[op], copy(a), b)
    for a, b in [(2**62, 2**62), (5, 0), (-7, 2), (3, -1)]:
        if op != 13 and (op not in (7, 8) or b < 100):
            assert outcome(function("ppy_int_op"), op, a, b) == outcome(OPERATORS[op], a, b)


def test_raising_what_an_operator_raises() -> None:
    for op, a, b in [(3, 1, 0), (4, 1, 0), (5, 1, 0), (6, 1, 0), (7, 0, -1), (8, 1, -1), (9, 1, -1)]:
        with pytest.raises((ZeroDivisionError, ValueError)) as native:
            function("ppy_int_raise")(op, a, b)
        assert (type(native.value), str(native.value)) == outcome(OPERATORS[op], a, b)


def test_nothing_leaks() -> None:
    before = sys.getrefcount(None), sys.getrefcount(1.5)
    big = 2**70
    references = sys.getrefcount(big)
    for _ in range(1000):
        function("ppy_binary")(0, big, 1)
        outcome(function("ppy_f64_mod"), 1.0, 0.0)
        function("ppy_unbox_i64")(big)
    assert sys.getrefcount(big) == references
    assert sys.getrefcount(1.5) <= before[1] + 2
