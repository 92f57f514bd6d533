"""Integer arithmetic in words: exact where facts prove it, guarded where they do not."""

from __future__ import annotations

from ppy_compiler.dialects.py.names import Const
from ppy_compiler.dialects.py.operators import Binary
from ppy_compiler.infer import ranges
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.ir.types import F64, I64
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.reprs import Repr

WRAPPING = {"+": "add", "-": "sub", "*": "mul"}
RANGES = {"+": ranges.add, "-": ranges.sub, "*": ranges.mul}
BITWISE = {"&": "and", "|": "or", "^": "xor"}
I64_RANGE = (-(1 << 63), (1 << 63) - 1)
U64_RANGE = (0, (1 << 64) - 1)


class Operand:
    """An integer operand: the word, whether it is unsigned, its range."""

    def __init__(self, body: Body, value: Value) -> None:
        kind = body.repr(value)
        native = _literal_word(body, value) if kind is Repr.OBJ else body.read(value)
        self.unsigned = kind is Repr.U64
        self.native = body.b.cast("zext", native, I64) if kind in (Repr.BOOL, Repr.BIT) else native
        fact = body.fact(value)
        limits = U64_RANGE if self.unsigned else I64_RANGE
        lo, hi = (0, 1) if kind in (Repr.BOOL, Repr.BIT) else fact.range if fact is not None else limits
        tight = body.tight.get(value, limits)
        self.lo = tight[0] if lo is None else max(lo, tight[0])
        self.hi = tight[1] if hi is None else min(hi, tight[1])

    @property
    def constant(self) -> int | None:
        return self.lo if self.lo == self.hi else None


def binary(body: Body, op: Binary, fact: Fact) -> tuple[Value, Repr] | None:
    """The result word, or ``None`` where words do not do (the general operation then). May emit a guard before the
    operation."""
    kind, a, b = op.kind, Operand(body, op.lhs), Operand(body, op.rhs)
    if op in body.fn.counters.free and not (a.unsigned or b.unsigned):
        return body.b.binary(WRAPPING[kind], a.native, b.native, exact=True), Repr.I64
    if kind in WRAPPING:
        return _wrapping(body, op, a, b, fact)
    if kind in BITWISE:
        return _bitwise(body, kind, a, b)
    if kind in ("//", "%"):
        return _divide(body, kind, a, b)
    if kind in ("<<", ">>"):
        return _shift(body, kind, a, b)
    if kind == "**" and not a.unsigned and not b.unsigned:
        value, ok = body.b.call("ppy_i64_pow", [a.native, b.native], I64, I64)
        body.deopt_unless(body.b.nonzero(ok))
        return value, Repr.I64
    return None


def accumulate(body: Body, op: Binary) -> tuple[Value, Repr] | None:
    """One step of a chunk's part of a sum or product. What is known of the whole is not true of it; but a part of a
    sum is no larger than twice the largest whole, which the bounds of a version leave room for."""
    a, b = Operand(body, op.lhs), Operand(body, op.rhs)
    if a.unsigned or b.unsigned:
        return None
    if op in body.fn.counters.free or (body.holds and op.kind != "*"):
        return body.b.binary(WRAPPING[op.kind], a.native, b.native, exact=True), Repr.I64
    value, overflowed = body.b.overflow("s" + WRAPPING[op.kind], a.native, b.native)
    body.deopt_unless(body.b.not_(overflowed))
    return value, Repr.I64


def _literal_word(body: Body, value: Value) -> Value:
    """The low 64 bits of a literal that fits no word."""
    assert isinstance(value, OpResult)
    assert isinstance(value.op, Const)
    return body.b.i64((value.op.literal + (1 << 63)) % (1 << 64) - (1 << 63))


def chained(body: Body, op: Binary) -> tuple[Value, Repr] | None:
    """An operation of a chain (see ``lower.chains``): computed on low words, or on a product that was never
    computed."""
    chains = body.fn.chains
    if op.value in chains.wide:
        return body.b.i64(0), body.repr(op.value)
    if op.lhs in chains.wide:
        return _multiply_modulo(body, op)
    if op.value in chains.wrapped:
        kind = "shl" if op.kind == "<<" else (WRAPPING | BITWISE)[op.kind]
        return body.b.binary(kind, Operand(body, op.lhs).native, Operand(body, op.rhs).native), body.repr(op.value)
    if op.lhs in chains.wrapped or op.rhs in chains.wrapped:
        return _masked(body, op)
    return None


def _masked(body: Body, op: Binary) -> tuple[Value, Repr]:
    """``wrapped & mask`` or ``wrapped % 2**k``: the end of a chain."""
    a, b = Operand(body, op.lhs), Operand(body, op.rhs)
    result = body.repr(op.value)
    if op.kind == "&":
        return body.b.binary("and", a.native, b.native), result
    assert isinstance(op.rhs, OpResult)
    literal = _int_literal(body, op.rhs)
    if literal == 1 << 64:
        return a.native, result
    return body.b.binary("and", a.native, body.b.i64((literal - 1 + (1 << 63)) % (1 << 64) - (1 << 63))), result


def _int_literal(body: Body, value: Value) -> int:
    fact = body.fn.facts.values[value]
    assert fact.literal is not None
    assert isinstance(fact.literal.value, int)
    return fact.literal.value


def _multiply_modulo(body: Body, op: Binary) -> tuple[Value, Repr]:
    assert isinstance(op.lhs, OpResult)
    assert isinstance(op.lhs.op, Binary)
    product = op.lhs.op
    words = [body.read(v) for v in (product.lhs, product.rhs, op.rhs)]
    value, ok = body.b.call("ppy_i64_mulmod", words, I64, I64)
    body.deopt_unless(body.b.nonzero(ok))
    return value, Repr.I64


def _target(fact: Fact) -> Repr:
    lo, hi = fact.range
    return Repr.U64 if lo is not None and hi is not None and lo >= 0 and hi > I64_RANGE[1] else Repr.I64


def _wrapping(body: Body, op: Binary, a: Operand, b: Operand, fact: Fact) -> tuple[Value, Repr] | None:
    kind = op.kind
    target = _target(fact)
    if body.fn.unit.options.unsafe:
        return body.b.binary(WRAPPING[kind], a.native, b.native), target
    limits = U64_RANGE if target is Repr.U64 else I64_RANGE
    found = RANGES[kind]((a.lo, a.hi), (b.lo, b.hi))
    if ranges.within(found, limits) or body.holds:
        return body.b.binary(
            WRAPPING[kind], a.native, b.native, exact=target is Repr.I64 and body.predicates is None
        ), target
    if target is Repr.I64 and (a.unsigned or b.unsigned):
        return None
    if target is Repr.U64 and (a.lo < 0 or b.lo < 0):
        return None
    prefix = "u" if target is Repr.U64 else "s"
    scaled = _scaled(body, op.value, kind, a, b) if target is Repr.I64 else None
    if scaled is not None:
        return scaled, target
    value, overflowed = body.b.overflow(prefix + WRAPPING[kind], a.native, b.native)
    body.deopt_unless(body.b.not_(overflowed))
    return value, target


def _scaled(body: Body, result: Value, kind: str, a: Operand, b: Operand) -> Value | None:
    """``x + c`` and ``x * c`` need one comparison of ``x``: a predicate that passes can combine and that leaves the
    arithmetic free."""
    if kind in ("+", "*") and a.constant is not None:
        a, b = b, a
    c = b.constant
    if c is None or (kind == "*" and c <= 1):
        return None
    lowest, highest = I64_RANGE
    if kind == "*":
        low, high = -((-lowest) // c), highest // c
    else:
        c = -c if kind == "-" else c
        low, high = max(lowest, lowest - c), min(highest, highest - c)
    ok = None
    if a.hi > high:
        ok = body.b.cmp("sle", a.native, body.b.i64(high))
    if a.lo < low:
        above = body.b.cmp("sge", a.native, body.b.i64(low))
        ok = above if ok is None else body.b.binary("and", ok, above)
    if ok is not None:
        body.deopt_unless(ok)
    if kind == "*":
        body.tight[result] = (low * c, high * c)
    return body.b.binary(WRAPPING[kind], a.native, b.native, exact=body.predicates is None)


def _bitwise(body: Body, kind: str, a: Operand, b: Operand) -> tuple[Value, Repr] | None:
    value_kind = Repr.I64
    if a.unsigned or b.unsigned:
        if kind != "&" and (a.lo < 0 or b.lo < 0):
            return None
        other = b if a.unsigned else a
        small = kind == "&" and (not other.unsigned and other.lo >= 0)
        value_kind = Repr.I64 if small else Repr.U64
    return body.b.binary(BITWISE[kind], a.native, b.native), value_kind


def _divide(body: Body, kind: str, a: Operand, b: Operand) -> tuple[Value, Repr] | None:
    if a.unsigned or b.unsigned:
        if a.lo < 0 or b.lo < 0:
            return None
        if b.lo <= 0:
            body.deopt_unless(body.b.nonzero(b.native))
        value = body.b.binary("udiv" if kind == "//" else "urem", a.native, b.native)
        fits = b.hi <= I64_RANGE[1] if kind == "%" else a.hi // max(b.lo, 1) <= I64_RANGE[1]
        return value, Repr.I64 if fits else Repr.U64
    c = b.constant
    if c is not None and c > 0 and c & (c - 1) == 0:
        if kind == "//":
            return body.b.binary("ashr", a.native, body.b.i64(c.bit_length() - 1)), Repr.I64
        return body.b.binary("and", a.native, body.b.i64(c - 1)), Repr.I64
    if a.lo >= 0 and b.lo >= 0:
        if b.lo == 0:
            body.deopt_unless(body.b.nonzero(b.native))
        return body.b.binary("sdiv" if kind == "//" else "srem", a.native, b.native), Repr.I64
    if c is not None and c > 0:
        return _divide_constant(body, kind, a.native, c), Repr.I64
    value, ok = body.b.call("ppy_i64_floordiv" if kind == "//" else "ppy_i64_mod", [a.native, b.native], I64, I64)
    body.deopt_unless(body.b.nonzero(ok))
    return value, Repr.I64


def _divide_constant(body: Body, kind: str, a: Value, c: int) -> Value:
    """Floor division by a positive constant: the backend turns the machine's division into a multiplication."""
    n = body.b
    remainder = n.binary("srem", a, n.i64(c))
    negative = n.cmp("slt", remainder, n.i64(0))
    if kind == "%":
        return n.select(negative, n.binary("add", remainder, n.i64(c)), remainder)
    return n.binary("sub", n.binary("sdiv", a, n.i64(c)), n.cast("zext", negative, I64))


def _shift(body: Body, kind: str, a: Operand, b: Operand) -> tuple[Value, Repr] | None:
    if b.unsigned:
        return None
    if kind == ">>":
        if not 0 <= b.lo <= b.hi <= 63:
            if a.unsigned:
                return None
            value, ok = body.b.call("ppy_i64_shr", [a.native, b.native], I64, I64)
            body.deopt_unless(body.b.nonzero(ok))
            return value, Repr.I64
        value = body.b.binary("lshr" if a.unsigned else "ashr", a.native, b.native)
        return value, Repr.U64 if a.unsigned and b.lo == 0 else Repr.I64
    if a.unsigned:
        return None
    fits = 0 <= b.lo <= b.hi <= 62 and a.lo << b.hi >= I64_RANGE[0] and a.hi << b.hi <= I64_RANGE[1]
    if fits or body.holds:
        return body.b.binary("shl", a.native, b.native), Repr.I64
    value, ok = body.b.call("ppy_i64_shl", [a.native, b.native], I64, I64)
    body.deopt_unless(body.b.nonzero(ok))
    return value, Repr.I64


def unary(body: Body, kind: str, argument: Value) -> tuple[Value, Repr] | None:
    a = Operand(body, argument)
    if a.unsigned:
        return (a.native, Repr.U64) if kind == "+" else None
    if kind == "-":
        if a.lo == I64_RANGE[0] and not body.holds:
            body.deopt_unless(body.b.cmp("ne", a.native, body.b.i64(I64_RANGE[0])))
        return body.b.binary("sub", body.b.i64(0), a.native, exact=True), Repr.I64
    if kind == "~":
        return body.b.binary("xor", a.native, body.b.i64(-1)), Repr.I64
    return a.native, Repr.I64


def true_divide(body: Body, lhs: Value, rhs: Value) -> Value | None:
    """``a / b`` correctly rounded; the guard is the zero divisor."""
    a, b = Operand(body, lhs), Operand(body, rhs)
    if a.unsigned or b.unsigned:
        return None
    value, ok = body.b.call("ppy_i64_truediv", [a.native, b.native], F64, I64)
    body.deopt_unless(body.b.nonzero(ok))
    return value
