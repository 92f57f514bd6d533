"""NumPy's universal functions: for which types they have a loop, which loop a call takes, what it gives.

One declaration for each function. ``loops`` are the codes of the types whose inner loops it has, in NumPy's order; a
call takes the first that all operands can be cast to safely (`numpy.ufunc.resolve_dtypes`), after NEP 50 settled what
Python numbers mean. ``native`` names the operation of the tensor dialect that computes the same bits; ``None``: the
values are NumPy's own (its `exp` is not libm's), so a fused kernel calls NumPy's inner loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppy_plugins.numpy.dtypes import (
    BOOL,
    BY_CHAR,
    FLOAT64,
    INT64,
    UINT8,
    UINT64,
    DType,
    Operand,
    Weak,
    result_type,
    safe,
)

INTEGERS = "bBhHiIlL"
FLOATS = "efd"
COMPLEX = "FD"
REALS = INTEGERS + FLOATS
NUMBERS = REALS + COMPLEX
EVERY = "?" + NUMBERS


@dataclass(frozen=True, slots=True)
class UFunc:
    """``result``: the type of the result, ``None`` for that of the loop, ``"real"`` for its real type."""

    name: str
    inputs: int
    loops: str
    native: str | None = None
    result: DType | str | None = None
    aliases: tuple[str, ...] = ()
    bools: bool = True
    """Whether operands that are all ``bool`` are accepted, as ``int8`` where there is no loop for them."""
    of_truth: bool = False
    """Whether only the truth of the operands matters, whatever their types: one loop serves all."""
    integral_since: tuple[int, int] = (2, 0)
    """The version of NumPy since which the loops for ``bool`` and integers exist."""

    def loops_of(self, version: tuple[int, int]) -> str:
        return self.loops if version >= self.integral_since else self.loops.strip("?" + INTEGERS)


@dataclass(frozen=True, slots=True)
class Loop:
    """What a call computes: the types that its operands are cast to, and that of the result."""

    operands: tuple[DType, ...]
    result: DType


def resolve(ufunc: UFunc, operands: Sequence[Operand], version: tuple[int, int] = (2, 4)) -> Loop | None:
    """The loop that this version of NumPy takes; ``None`` where it raises a TypeError, or has one that the model does
    not know."""
    types = _settled(operands)
    if ufunc.name in COMPARISONS and {type.kind for type in types} == {"i", "u"}:
        return _mixed_comparison(types)
    if ufunc.name == "divide" and all(type.kind in "biu" for type in types):
        types = [FLOAT64, FLOAT64]
    if ufunc.of_truth:
        return Loop((BOOL, BOOL), BOOL)
    if not ufunc.bools and all(type is BOOL for type in types):
        return None
    for char in ufunc.loops_of(version):
        loop = BY_CHAR[char]
        if all(safe(type, loop) for type in types):
            return Loop((loop,) * ufunc.inputs, _result(ufunc, loop))
    return None


def _settled(operands: Sequence[Operand]) -> list[DType]:
    """Python numbers as the types that they have beside these arrays."""
    if any(isinstance(operand, Weak) for operand in operands):
        common = result_type(operands)
        return [operand if isinstance(operand, DType) else common for operand in operands]
    return [operand for operand in operands if isinstance(operand, DType)]


def _mixed_comparison(types: list[DType]) -> Loop:
    """Signed with unsigned integers: 64 bits are compared exactly, less than that in the common type."""
    common = result_type(types)
    if common is not FLOAT64:
        return Loop((common, common), BOOL)
    return Loop(tuple(INT64 if type.kind == "i" else UINT64 for type in types), BOOL)


def _result(ufunc: UFunc, loop: DType) -> DType:
    if ufunc.result == "real":
        return loop.real
    return ufunc.result if isinstance(ufunc.result, DType) else loop


def _arithmetic() -> tuple[UFunc, ...]:
    return (
        UFunc("add", 2, EVERY, "add"),
        UFunc("subtract", 2, NUMBERS, "sub", bools=False),
        UFunc("multiply", 2, EVERY, "mul"),
        UFunc("divide", 2, FLOATS + COMPLEX, "div", aliases=("true_divide",)),
        UFunc("floor_divide", 2, REALS, "floordiv"),
        UFunc("remainder", 2, REALS, "mod", aliases=("mod",)),
        UFunc("fmod", 2, REALS),
        UFunc("power", 2, NUMBERS, aliases=("pow",)),
        UFunc("float_power", 2, "dD"),
        UFunc("negative", 1, NUMBERS, "neg", bools=False),
        UFunc("positive", 1, NUMBERS, "pos", bools=False),
        UFunc("absolute", 1, EVERY, "abs", "real", aliases=("abs",)),
        UFunc("fabs", 1, FLOATS, "abs"),
        UFunc("sign", 1, NUMBERS, "sign", bools=False),
        UFunc("square", 1, NUMBERS, "square"),
        UFunc("reciprocal", 1, NUMBERS, "reciprocal"),
        UFunc("sqrt", 1, FLOATS + COMPLEX, "sqrt"),
        UFunc("conjugate", 1, NUMBERS, "conj", aliases=("conj",)),
        UFunc("maximum", 2, EVERY, "maximum"),
        UFunc("minimum", 2, EVERY, "minimum"),
        UFunc("fmax", 2, EVERY, "fmax"),
        UFunc("fmin", 2, EVERY, "fmin"),
        UFunc("copysign", 2, FLOATS, "copysign"),
        UFunc("nextafter", 2, FLOATS),
        UFunc("heaviside", 2, FLOATS),
        UFunc("gcd", 2, INTEGERS, bools=False),
        UFunc("lcm", 2, INTEGERS, bools=False),
    )


def _rounding() -> tuple[UFunc, ...]:
    return (
        *(UFunc(name, 1, "?" + REALS, name, integral_since=(2, 1)) for name in ("floor", "ceil", "trunc")),
        UFunc("rint", 1, FLOATS + COMPLEX, "rint"),
        UFunc("spacing", 1, FLOATS),
    )


def _transcendental() -> tuple[UFunc, ...]:
    complex_too = FLOATS + COMPLEX
    one = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh"
    inverse = "arcsin:asin arccos:acos arctan:atan arcsinh:asinh arccosh:acosh arctanh:atanh"
    return (
        *(UFunc(name, 1, complex_too) for name in one.split()),
        *(UFunc(name, 1, complex_too, aliases=(alias,)) for name, alias in (p.split(":") for p in inverse.split())),
        UFunc("cbrt", 1, FLOATS),
        UFunc("deg2rad", 1, FLOATS),
        UFunc("rad2deg", 1, FLOATS),
        UFunc("degrees", 1, FLOATS),
        UFunc("radians", 1, FLOATS),
        UFunc("arctan2", 2, FLOATS, aliases=("atan2",)),
        UFunc("hypot", 2, FLOATS),
        UFunc("logaddexp", 2, FLOATS),
        UFunc("logaddexp2", 2, FLOATS),
    )


def _bits_and_truth() -> tuple[UFunc, ...]:
    comparisons = zip(
        ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
        ("eq", "ne", "lt", "le", "gt", "ge"),
        strict=True,
    )
    return (
        *(UFunc(name, 2, EVERY, native, BOOL) for name, native in comparisons),
        *(UFunc(f"logical_{name}", 2, "?", f"logical_{name}", of_truth=True) for name in ("and", "or", "xor")),
        UFunc("logical_not", 1, EVERY, "logical_not", BOOL),
        *(UFunc(f"bitwise_{name}", 2, "?" + INTEGERS, name) for name in ("and", "or", "xor")),
        UFunc("invert", 1, "?" + INTEGERS, "invert", aliases=("bitwise_not", "bitwise_invert")),
        UFunc("left_shift", 2, INTEGERS, "shl", aliases=("bitwise_left_shift",)),
        UFunc("right_shift", 2, INTEGERS, "shr", aliases=("bitwise_right_shift",)),
        UFunc("bitwise_count", 1, INTEGERS, "popcount", UINT8),
        *(UFunc(name, 1, EVERY, name, BOOL) for name in ("isnan", "isinf", "isfinite")),
        UFunc("signbit", 1, FLOATS, "signbit", BOOL),
    )


UFUNCS = (*_arithmetic(), *_rounding(), *_transcendental(), *_bits_and_truth())
BY_NAME = {name: ufunc for ufunc in UFUNCS for name in (ufunc.name, *ufunc.aliases)}
COMPARISONS = frozenset(("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"))
OPERATORS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "//": "floor_divide",
    "%": "remainder",
    "**": "power",
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<<": "left_shift",
    ">>": "right_shift",
    "==": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
"""Python's binary operators on arrays. ``**`` with a Python number takes shortcuts of its own."""
UNARY_OPERATORS = {"-": "negative", "+": "positive", "~": "invert", "abs": "absolute"}
