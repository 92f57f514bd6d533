"""The ``arith`` dialect: machine integers and IEEE floats. Everything is pure and wraps around; guards are
explicit."""

from __future__ import annotations

from ppy_compiler.ir import Op, Trait, attr, operand, result
from ppy_compiler.ir.types import I1


class Const(Op):
    """A number of the result's type; for ``i1`` a bool, for pointers ``None`` (null)."""

    name = "arith.const"
    traits = Trait.PURE | Trait.CONSTANT
    literal = attr()
    value = result()


class Binary(Op):
    """``kind``: ``add sub mul and or xor shl ashr lshr sdiv srem udiv urem`` on integers, ``fadd fsub fmul fdiv`` on
    doubles.

    ``exact``: the mathematical result is known to fit (signed), so the backend may rely on it. ``fastmath``: may be
    reassociated and contracted with others that are; NaN, infinities and the sign of zero still mean what they do.
    """

    name = "arith.binary"
    traits = Trait.PURE
    kind = attr(str)
    exact = attr(bool, False)
    fastmath = attr(bool, False)
    lhs = operand()
    rhs = operand()
    value = result()


class Overflow(Op):
    """Signed (``sadd ssub smul``) or unsigned (``uadd usub umul``) arithmetic and whether the result did not fit."""

    name = "arith.overflow"
    traits = Trait.PURE
    kind = attr(str)
    lhs = operand()
    rhs = operand()
    value = result()
    overflowed = result()


class Cmp(Op):
    """``kind``: ``eq ne slt sle sgt sge ult ule ugt uge`` or, on doubles, ``oeq une olt ole ogt oge one uno``."""

    name = "arith.cmp"
    traits = Trait.PURE
    kind = attr(str)
    lhs = operand()
    rhs = operand()
    value = result(I1)


class Cast(Op):
    """``kind``: ``sext zext trunc sitofp uitofp fptosi fptoui fpext fptrunc bitcast``, to the result's type."""

    name = "arith.cast"
    traits = Trait.PURE
    kind = attr(str)
    argument = operand()
    value = result()


class Select(Op):
    """``then`` when ``condition``, else ``otherwise``; both are computed."""

    name = "arith.select"
    traits = Trait.PURE
    condition = operand()
    then = operand()
    otherwise = operand()
    value = result()


class Neg(Op):
    """Sign change of a double. ``fastmath``: as of ``arith.binary``."""

    name = "arith.fneg"
    traits = Trait.PURE
    fastmath = attr(bool, False)
    argument = operand()
    value = result()


class Either(Op):
    """A number and the bit that says of which class it is, as one value."""

    name = "arith.either"
    traits = Trait.PURE
    number = operand()
    bit = operand()
    value = result()


class Parts(Op):
    """The number and the bit of such a value."""

    name = "arith.parts"
    traits = Trait.PURE
    argument = operand()
    number = result()
    bit = result(I1)


OPS = (Const, Binary, Overflow, Cmp, Cast, Select, Neg, Either, Parts)
