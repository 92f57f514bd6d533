"""One element of a kernel: each operation of the ``tensor`` dialect as machine arithmetic.

Every handler computes the bits that NumPy computes. Where NumPy does more than compute (an integer divided by zero, a
number that does not fit the type it is cast to) the handler notes the condition with ``decline``: the kernel then
answers that its results must not be used.

Floating-point exceptions need no code: they stay in the processor's flags, provided that the operations are executed.
An optimiser that does not care for flags executes fewer: it knows that no root is below zero, it computes only the side
of a selection that is chosen. So constants are hidden from it (``hidden_zero``), and in kernels with choices every
result is looked at (``attentive``).
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from ppy_compiler.dialects.tensor import BITS, FLOATS, SIZES
from ppy_compiler.ir import Type, Value
from ppy_compiler.ir.types import F64, I1, I32, I64
from ppy_compiler.lower.native import NativeBuilder


class Elements:
    """Builds the operations of one element."""

    def __init__(self, builder: NativeBuilder, hidden_zero: Value, attentive: bool) -> None:
        self.b = builder
        self.hidden_zero = hidden_zero
        self.attentive = attentive
        self.declined: list[Value] = []
        """Conditions, any of which makes the element NumPy's."""

    def decline(self, condition: Value) -> None:
        self.declined.append(condition)

    def apply(self, kind: str, args: list[Value], type: Type) -> Value:
        """``type``: of the result."""
        value = HANDLERS[kind](self, kind, args, type)
        if self.attentive and kind in ROUNDING_KINDS and type.name in FLOATS:
            self.decline(self.b.not_(_classify(self, "isfinite", [value], I1)))
        return value

    def call(self, name: str, args: list[Value], type: Type) -> Value:
        """One of LLVM's intrinsic functions on a number type."""
        return self.b.call1(f"llvm.{name}.{LLVM_NAMES[args[0].type.name]}", args, type)

    def literal(self, number: float, type: Type) -> Value:
        """A constant that no optimiser knows, if it is a float."""
        if type.name not in FLOATS:
            return self.b.const(int(number), type)
        word, code = (I64, "<d") if type.name == "f64" else (I32, "<f")
        bits = int.from_bytes(struct.pack(code, number), "little", signed=True)
        zero = self.hidden_zero if word == I64 else self.b.cast("trunc", self.hidden_zero, I32)
        return self.b.cast("bitcast", self.b.binary("xor", self.b.const(bits, word), zero), type)

    def zero(self, type: Type) -> Value:
        return self.literal(0, type)


LLVM_NAMES = {**{name: f"i{bits}" for name, bits in BITS.items()}, **{name: name for name in FLOATS}}


INVALID_KINDS = frozenset(("add", "sub", "mul", "div", "sqrt"))
"""Operations on floats that have no answer for some operands. The other operations may set the same flag, when they
compare with NaN, and NumPy says nothing."""


CHOICES = frozenset(("select", "sign", "maximum", "minimum"))
"""Operations that use one of their arguments."""
ROUNDING_KINDS = INVALID_KINDS | {"square", "reciprocal"}
"""Operations on floats that can give what is not finite of what is."""


def is_signed(type: Type) -> bool:
    return type.name.startswith("i") and type.name != "i1"


def _arithmetic(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    left, right = args
    if type == I1:
        return e.b.binary({"add": "or", "mul": "and"}[kind], left, right)
    return e.b.binary(("f" if type.name in FLOATS else "") + kind, left, right)


def _divide(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.binary("fdiv", args[0], args[1])


def _floor_divide(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    """Python's floor division and remainder on words. A zero divisor, and the one quotient that does not fit, are
    NumPy's: both warn."""
    b, (left, right) = e.b, args
    by_zero = b.cmp("eq", right, e.zero(type))
    e.decline(by_zero)
    divisor = b.select(by_zero, e.literal(1, type), right)
    if not is_signed(type):
        return b.binary("udiv" if kind == "floordiv" else "urem", left, divisor)
    lowest, minus_one = e.literal(-(1 << BITS[type.name] - 1), type), e.literal(-1, type)
    overflows = b.binary("and", b.cmp("eq", left, lowest), b.cmp("eq", divisor, minus_one))
    if kind == "floordiv":
        e.decline(overflows)
    divisor = b.select(overflows, e.literal(1, type), divisor)
    quotient, rest = b.binary("sdiv", left, divisor), b.binary("srem", left, divisor)
    differ = b.cmp("slt", b.binary("xor", rest, divisor), e.zero(type))
    adjust = b.binary("and", b.nonzero(rest), differ)
    if kind == "mod":
        return b.binary("add", rest, b.select(adjust, divisor, e.zero(type)))
    return b.binary("sub", quotient, b.select(adjust, e.literal(1, type), e.zero(type)))


def _shift(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    """A count that is negative or too large shifts everything out."""
    b, (value, count) = e.b, args
    last = e.literal(BITS[type.name] - 1, type)
    beyond = b.cmp("ugt", count, last)
    if kind == "shl":
        return b.select(beyond, e.zero(type), b.binary("shl", value, b.select(beyond, e.zero(type), count)))
    if is_signed(type):
        return b.binary("ashr", value, b.select(beyond, last, count))
    return b.select(beyond, e.zero(type), b.binary("lshr", value, b.select(beyond, e.zero(type), count)))


COMPARISONS = {"eq": ("eq", "oeq"), "ne": ("ne", "une"), **{k: (k, f"o{k}") for k in ("lt", "le", "gt", "ge")}}


MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _compare(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    whole, fractional = COMPARISONS[kind]
    operand = args[0].type
    if operand.name in FLOATS:
        return e.b.cmp(fractional, *args)
    if operand != args[1].type:
        return _compare_signs(e, kind, args)
    if kind not in ("eq", "ne"):
        whole = ("s" if is_signed(operand) else "u") + whole
    return e.b.cmp(whole, *args)


def _compare_signs(e: Elements, kind: str, args: list[Value]) -> Value:
    """A signed word with an unsigned one: whatever is negative is smaller, and the others are compared as they are."""
    signed, unsigned = args
    if not is_signed(signed.type):
        signed, unsigned, kind = unsigned, signed, MIRRORED.get(kind, kind)
    negative = e.b.cmp("slt", signed, e.zero(signed.type))
    compared = e.b.cmp(kind if kind in ("eq", "ne") else f"u{kind}", signed, unsigned)
    if kind in ("ne", "lt", "le"):
        return e.b.binary("or", negative, compared)
    return e.b.binary("and", e.b.not_(negative), compared)


def _bitwise(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.binary(kind, args[0], args[1])


def truth(e: Elements, value: Value) -> Value:
    """``value != 0``; NaN is true."""
    if value.type == I1:
        return value
    return e.b.cmp("une" if value.type.name in FLOATS else "ne", value, e.zero(value.type))


def _logical(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    left, right = (truth(e, arg) for arg in args)
    return e.b.binary(kind.removeprefix("logical_"), left, right)


def _logical_not(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.not_(truth(e, args[0]))


def _negative(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.fneg(args[0]) if type.name in FLOATS else e.b.binary("sub", e.zero(type), args[0])


def _positive(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return args[0]


def _absolute(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    if type.name in FLOATS:
        return e.call("fabs", args, type)
    if not is_signed(type):
        return args[0]
    negative = e.b.cmp("slt", args[0], e.zero(type))
    return e.b.select(negative, e.b.binary("sub", e.zero(type), args[0]), args[0])


def _sign(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    """-1, 0 or 1; NaN stays, and so does the zero's own sign not."""
    b, value, zero, one = e.b, args[0], e.zero(type), e.literal(1, type)
    if type.name in FLOATS:
        signed = b.select(b.cmp("olt", value, zero), e.literal(-1, type), zero)
        signed = b.select(b.cmp("ogt", value, zero), one, signed)
        return b.select(b.cmp("uno", value, value), value, signed)
    positive = b.select(b.cmp("sgt" if is_signed(type) else "ne", value, zero), one, zero)
    return b.select(b.cmp("slt", value, zero), e.literal(-1, type), positive) if is_signed(type) else positive


def _square(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return _arithmetic(e, "mul", [args[0], args[0]], type)


def _reciprocal(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.binary("fdiv", e.literal(1, type), args[0])


def _invert(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.binary("xor", args[0], e.b.i1(True) if type == I1 else e.literal(-1, type))


def _rounded(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.call(kind, args, type) if type.name in FLOATS else args[0]


def _intrinsic(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.call(kind, args, type)


def _classify(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    """On the bits: a comparison with NaN would set a flag."""
    operand = args[0].type
    if operand.name not in FLOATS:
        return e.b.i1(kind == "isfinite")
    word = I64 if operand == F64 else I32
    bits = e.b.cast("bitcast", args[0], word)
    if kind == "signbit":
        return e.b.cmp("slt", bits, e.b.const(0, word))
    infinite = 0x7FF0_0000_0000_0000 if word == I64 else 0x7F80_0000
    magnitude = e.b.binary("and", bits, e.b.const((1 << (63 if word == I64 else 31)) - 1, word))
    return e.b.cmp({"isnan": "ugt", "isinf": "eq", "isfinite": "ult"}[kind], magnitude, e.b.const(infinite, word))


def _popcount(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    """Of the absolute value, as NumPy counts."""
    operand = args[0].type
    counted = e.call("ctpop", [_absolute(e, "abs", args, operand)], operand)
    return counted if SIZES[operand.name] == 1 else e.b.cast("trunc", counted, type)


def _extreme(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    """NaN where one is NaN; the second of two zeros."""
    b, (left, right) = e.b, args
    larger = kind in ("maximum", "fmax")
    if type == I1:
        return b.binary("or" if larger else "and", left, right)
    if type.name not in FLOATS:
        return b.select(b.cmp(("s" if is_signed(type) else "u") + ("ge" if larger else "le"), left, right), left, right)
    chosen = b.select(b.cmp("ogt" if larger else "olt", left, right), left, right)
    return b.select(b.cmp("uno", left, left), left, chosen)


def _select(e: Elements, kind: str, args: list[Value], type: Type) -> Value:
    return e.b.select(*args)


Handler = Callable[[Elements, str, list[Value], Type], Value]
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("add", "sub", "mul"), _arithmetic),
    "div": _divide,
    **dict.fromkeys(("floordiv", "mod"), _floor_divide),
    **dict.fromkeys(("shl", "shr"), _shift),
    **dict.fromkeys(COMPARISONS, _compare),
    **dict.fromkeys(("and", "or", "xor"), _bitwise),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), _logical),
    "logical_not": _logical_not,
    "neg": _negative,
    **dict.fromkeys(("pos", "conj"), _positive),
    "abs": _absolute,
    "sign": _sign,
    "square": _square,
    "reciprocal": _reciprocal,
    "invert": _invert,
    **dict.fromkeys(("floor", "ceil", "trunc", "rint"), _rounded),
    **dict.fromkeys(("sqrt", "copysign"), _intrinsic),
    **dict.fromkeys(("isnan", "isinf", "isfinite", "signbit"), _classify),
    "popcount": _popcount,
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin"), _extreme),
    "select": _select,
}
"""How each kind of ``tensor.apply`` is computed."""
