"""The ``tensor`` dialect: elementwise computations on arrays, whichever library they belong to.

A ``tensor.kernel`` says what one element of the result is, given one element of each operand: its region is one block
whose arguments are the operands' elements, and every operation in it works on single numbers of the types ``i1 i8 u8
... i64 u64 f32 f64``. Shapes, strides and broadcasting are not in the IR: a kernel serves them all. Integers wrap
around; doubles are rounded after every operation, in the order written.
"""

from __future__ import annotations

from ppy_compiler.ir import Op, Trait, attr, operand, operands, region, result


class Kernel(Op):
    """An elementwise computation called ``sym``, made for the Python function ``source``."""

    name = "tensor.kernel"
    traits = Trait.SYMBOL | Trait.ISOLATED
    sym = attr(str)
    source = attr(str, "")
    body = region()


class Const(Op):
    """The same number for every element."""

    name = "tensor.const"
    traits = Trait.PURE | Trait.CONSTANT
    literal = attr()
    value = result()


class Apply(Op):
    """``kind`` of the arguments, which are of one type (the condition of ``select`` and the results of comparisons are
    ``i1``): a key of ``KINDS``."""

    name = "tensor.apply"
    traits = Trait.PURE
    kind = attr(str)
    args = operands()
    value = result()


class Cast(Op):
    """The argument as the result's type: NumPy's ``astype``, of any type to any other."""

    name = "tensor.cast"
    traits = Trait.PURE
    argument = operand()
    value = result()


class Yield(Op):
    """The element of the result."""

    name = "tensor.yield"
    traits = Trait.TERMINATOR
    value = operand()


KINDS = {
    **dict.fromkeys(("add", "sub", "mul", "div", "floordiv", "mod", "copysign"), 2),
    **dict.fromkeys(("and", "or", "xor", "shl", "shr"), 2),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), 2),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor", "maximum", "minimum", "fmax", "fmin"), 2),
    **dict.fromkeys(("neg", "pos", "conj", "abs", "sign", "square", "reciprocal", "sqrt", "invert", "logical_not"), 1),
    **dict.fromkeys(("floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite", "signbit", "popcount"), 1),
    "select": 3,
}
"""Each kind of ``tensor.apply`` and how many arguments it takes."""

OPS = (Kernel, Const, Apply, Cast, Yield)
