"""Scalars of NumPy in registers: operators, on them and on Python's numbers where both mean the same.

A number has its bit (``Repr.either``), and a result is NumPy's where an operand is. What is computed here holds for
both: where Python would raise or go beyond a word, and where NumPy would warn (a result that is infinite or not a
number, a word that overflows, a zero divisor) the guard leaves it to them. Of what NumPy may warn, only underflow
leaves no trace in the result: it is checked, before the first operation after code that may have changed it, that
``numpy.errstate`` ignores that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppy_compiler.ir import Operation, Value
from ppy_compiler.ir.types import F64, I1, I32, I64
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.compare import FLOAT, SIGNED
from ppy_compiler.lower.reprs import PYTHON, Repr, of_fact
from ppy_compiler.plugins.specs import ScalarSpec

FLOATS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
WORDS = {"+": "sadd", "-": "ssub", "*": "smul"}
BITS = {"&": "and", "|": "or", "^": "xor"}
INFINITE = float("inf")
CHOICES = {"builtins.abs": "", "builtins.min": "lt", "builtins.max": "gt"}
"""Which of two numbers it is: the second, if it compares so with the first."""
LEAST = -(1 << 63)
EXACT = 1 << 53
"""Integers to this magnitude are doubles."""


class Number:
    """A number in a register: its value, its representation without the bit, and the bit."""

    def __init__(self, body: Body, value: Value) -> None:
        kind, native = body.repr(value), body.read(value)
        if kind is Repr.OBJ:
            kind = of_fact(body.fact(value))
            native, ok = body.unbox(native, kind, body.fact(value))
            body.deopt_unless(ok)
        self.kind = PYTHON.get(kind, kind)
        self.native = native
        self.bit: Value | None = None
        if kind.either:
            self.native, self.bit = body.b.parts(native)

    def either(self, body: Body) -> Value:
        """With its bit."""
        return body.b.either(self.native, bit_of(body, self))

    def double(self, body: Body, exact: bool = False) -> Value:
        """As NumPy converts it; ``exact``: where it would have to be rounded, nothing is converted."""
        if self.kind is Repr.F64:
            return self.native
        b = body.b
        if exact:
            moved = b.binary("add", self.native, b.i64(EXACT))
            body.deopt_unless(b.cmp("ule", moved, b.i64(2 * EXACT)))
        return b.cast("sitofp", self.native, F64)


def scalar(body: Body, op: Operation, spec: ScalarSpec) -> None:
    """``op`` as ``spec`` says."""
    numbers = [Number(body, value) for value in op.operands]
    first, second = numbers[0], numbers[-1]
    if len(numbers) == 1:
        native = _negated(body, first, spec)
    elif spec.kind in SIGNED:
        native = _compared(body, first, second, spec)
    elif spec.element == "f64":
        native = _doubles(body, first, second, spec.kind)
    else:
        native = _words(body, first, second, spec.kind)
    define(body, op.results[0], native, [number.bit for number in numbers])


def alike(body: Body, values: Sequence[Value]) -> bool:
    """Whether all are integers or all are floats."""
    held = (body.repr(value) for value in values)
    kinds = {of_fact(body.fact(value)) if kind is Repr.OBJ else kind for value, kind in zip(values, held, strict=True)}
    return {PYTHON.get(kind, kind) for kind in kinds} in ({Repr.F64}, {Repr.I64})


def chosen(body: Body, name: str, values: Sequence[Value]) -> tuple[Value, Repr]:
    """``abs`` of a number, ``max`` and ``min`` of two: with the bit of the one that it is."""
    b, numbers = body.b, [Number(body, value) for value in values]
    first, second = numbers[0], numbers[-1]
    kind = Repr.NF64 if first.kind is Repr.F64 else Repr.NI64
    if len(numbers) == 1:
        negative = first.native
        if kind is Repr.NF64:
            return b.either(b.call1("llvm.fabs.f64", [negative], F64), bit_of(body, first)), kind
        body.deopt_unless(b.cmp("ne", negative, b.i64(LEAST)))
        positive = b.select(b.cmp("slt", negative, b.i64(0)), b.binary("sub", b.i64(0), negative), negative)
        return b.either(positive, bit_of(body, first)), kind
    predicate = ("o" if kind is Repr.NF64 else "s") + CHOICES[name]
    taken = b.cmp(predicate, second.native, first.native)
    number = b.select(taken, second.native, first.native)
    return b.either(number, b.select(taken, bit_of(body, second), bit_of(body, first))), kind


def bit_of(body: Body, number: Number) -> Value:
    return body.b.i1(False) if number.bit is None else number.bit


def define(body: Body, result: Value, native: Value, bits: list[Value | None]) -> None:
    """The result is NumPy's if one of ``bits`` is set."""
    b, bit = body.b, None
    for other in bits:
        bit = other if bit is None else bit if other is None else b.binary("or", bit, other)
    kind = {F64: Repr.NF64, I64: Repr.NI64, I1: Repr.NBOOL}[native.type]
    body.define(result, b.either(native, b.i1(False) if bit is None else bit), kind)


def _negated(body: Body, number: Number, spec: ScalarSpec) -> Value:
    b = body.b
    if spec.kind == "+":
        return number.native
    if number.kind is Repr.F64:
        return b.fneg(number.native)
    body.deopt_unless(b.cmp("ne", number.native, b.i64(LEAST)))
    return b.binary("sub", b.i64(0), number.native)


def _compared(body: Body, left: Number, right: Number, spec: ScalarSpec) -> Value:
    if left.kind is right.kind is Repr.I64:
        return body.b.cmp(SIGNED[spec.kind], left.native, right.native)
    return body.b.cmp(FLOAT[spec.kind], left.double(body, exact=True), right.double(body, exact=True))


def _doubles(body: Body, left: Number, right: Number, kind: str) -> Value:
    b = body.b
    divided_words = kind == "/" and left.kind is right.kind is Repr.I64
    x, y = left.double(body, divided_words), right.double(body, divided_words)
    ignores_underflow(body)
    found = b.call1("ppy_numpy_pow", [x, y], F64) if kind == "**" else b.binary(FLOATS[kind], x, y)
    if kind == "/":
        body.deopt_unless(b.cmp("une", y, b.f64(0.0)))
    if body.op not in body.fn.deferred:
        body.deopt_unless(b.cmp("olt", b.call1("llvm.fabs.f64", [found], F64), b.f64(INFINITE)))
    return found


def _words(body: Body, left: Number, right: Number, kind: str) -> Value:
    b, x, y = body.b, left.native, right.native
    if kind in WORDS:
        found, overflowed = b.overflow(WORDS[kind], x, y)
        body.deopt_unless(b.not_(overflowed))
        return found
    if kind in BITS:
        return b.binary(BITS[kind], x, y)
    if kind == ">>":
        body.deopt_unless(b.cmp("ult", y, b.i64(64)))
        return b.binary("ashr", x, y)
    body.deopt_unless(b.nonzero(y))
    body.deopt_unless(b.nonzero(b.binary("or", b.binary("xor", x, b.i64(LEAST)), b.binary("add", y, b.i64(1)))))
    rest = b.binary("srem", x, y)
    differs = b.cmp("slt", b.binary("xor", x, y), b.i64(0))
    floors = b.binary("and", differs, b.nonzero(rest))
    if kind == "%":
        return b.select(floors, b.binary("add", rest, y), rest)
    return b.binary("sub", b.binary("sdiv", x, y), b.cast("zext", floors, I64))


def ignores_underflow(body: Body, require: Callable[[Value], None] | None = None) -> None:
    """What the operation may lose in the lowest bits is nobody's concern: asked once, and after other code ran."""
    guard = require or body.deopt_unless

    def find_out() -> None:
        guard(body.b.nonzero(body.b.call1("ppy_numpy_ignores_underflow", [], I32)))

    body.assumed.errstate(find_out)
