"""Unary, binary, comparison, truth, attributes, items."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import ALLOCATES, PURE, RUNS
from ppy_compiler.ir import Op, attr, operand, opt_operand, result
from ppy_compiler.ir.types import I1, OBJECT


class Unary(Op):
    """``kind``: ``- + ~``."""

    name = "py.unary"
    traits = RUNS
    kind = attr(str)
    argument = operand()
    value = result(OBJECT)


class Binary(Op):
    """``kind``: ``+ - * @ / // % ** << >> & ^ |``; ``inplace`` for the augmented assignment's protocol."""

    name = "py.binary"
    traits = RUNS
    kind = attr(str)
    inplace = attr(bool, False)
    lhs = operand()
    rhs = operand()
    value = result(OBJECT)


class Compare(Op):
    """``kind``: ``< <= == != > >=``; the result is any object."""

    name = "py.compare"
    traits = RUNS
    kind = attr(str)
    lhs = operand()
    rhs = operand()
    value = result(OBJECT)


class Is(Op):
    """Identity; ``negate`` for ``is not``."""

    name = "py.is"
    traits = PURE
    negate = attr(bool, False)
    lhs = operand()
    rhs = operand()
    value = result(I1)


class IsUnbound(Op):
    """Whether the value is the null marker."""

    name = "py.is_unbound"
    traits = PURE
    argument = operand()
    value = result(I1)


class Contains(Op):
    """``item in container``; ``negate`` for ``not in``."""

    name = "py.contains"
    traits = RUNS
    negate = attr(bool, False)
    item = operand()
    container = operand()
    value = result(I1)


class Truth(Op):
    """The truth of an object, as ``bool(x)`` finds it."""

    name = "py.truth"
    traits = RUNS
    argument = operand()
    value = result(I1)


class FromBool(Op):
    """``True`` or ``False`` from a truth value; ``negate`` for ``not``."""

    name = "py.from_bool"
    traits = PURE
    negate = attr(bool, False)
    argument = operand()
    value = result(OBJECT)


class GetAttr(Op):
    name = "py.getattr"
    traits = RUNS
    attribute = attr(str)
    object = operand()
    value = result(OBJECT)


class SetAttr(Op):
    name = "py.setattr"
    traits = RUNS
    attribute = attr(str)
    object = operand()
    value = operand()


class DelAttr(Op):
    name = "py.delattr"
    traits = RUNS
    attribute = attr(str)
    object = operand()


class GetItem(Op):
    name = "py.getitem"
    traits = RUNS
    object = operand()
    index = operand()
    value = result(OBJECT)


class SetItem(Op):
    name = "py.setitem"
    traits = RUNS
    object = operand()
    index = operand()
    value = operand()


class DelItem(Op):
    name = "py.delitem"
    traits = RUNS
    object = operand()
    index = operand()


class BuildSlice(Op):
    """``slice(start, stop[, step])``."""

    name = "py.build_slice"
    traits = ALLOCATES
    start = operand()
    stop = operand()
    step = opt_operand()
    value = result(OBJECT)


OPS = (
    Unary,
    Binary,
    Compare,
    Is,
    IsUnbound,
    Contains,
    Truth,
    FromBool,
    GetAttr,
    SetAttr,
    DelAttr,
    GetItem,
    SetItem,
    DelItem,
    BuildSlice,
)
