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


class Library(Op):
    """The library's own inner loop ``function`` of the arguments, whose types and the result's it is made for: what no
    exact operation computes. A kernel has its loops in the order of these operations."""

    name = "tensor.library"
    traits = Trait.PURE
    function = attr(str)
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

BITS = {f"{sign}{bits}": bits for sign in "iu" for bits in (8, 16, 32, 64)} | {"i1": 1}
"""Words by type, with their bits."""
FLOATS = {"f32": 32, "f64": 64}
SIZES = {name: max(bits, 8) // 8 for name, bits in (BITS | FLOATS).items()}
"""Bytes of an element in memory."""
ELEMENTS = BITS.keys() | FLOATS.keys()
INTEGERS = BITS.keys() - {"i1"}
ONLY_INTEGERS = frozenset(("fmax", "fmin", "floordiv", "mod", "shl", "shr", "popcount"))
"""Of these the results on floats are the library's own (its ``fmax(0.0, -0.0)`` is one zero in vectors and the other
beside them)."""
ONLY_WORDS = frozenset(("and", "or", "xor", "invert"))
ONLY_FLOATS = frozenset(("div", "sqrt", "reciprocal", "copysign", "signbit"))
NO_BITS = frozenset(("neg", "sub", "sign"))


def exact(kind: str, element: str) -> bool:
    """Whether ``kind`` of arguments of this element type is computed here, to the last bit as NumPy does."""
    if kind in ONLY_INTEGERS:
        return element in INTEGERS
    if kind in ONLY_WORDS:
        return element in INTEGERS or element == "i1"
    if kind in ONLY_FLOATS:
        return element in FLOATS
    return element in ELEMENTS and not (kind in NO_BITS and element == "i1")


OPS = (Kernel, Const, Apply, Library, Cast, Yield)
