"""The iterator protocol."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import RUNS
from ppy_compiler.ir import Op, operand, result
from ppy_compiler.ir.types import I1, OBJECT


class Iter(Op):
    """``iter(iterable)``."""

    name = "py.iter"
    traits = RUNS
    iterable = operand()
    iterator = result(OBJECT)


class Next(Op):
    """The next item and true, or the null marker and false when the iterator is exhausted (StopIteration is
    swallowed)."""

    name = "py.next"
    traits = RUNS
    iterator = operand()
    item = result(OBJECT)
    more = result(I1)


OPS = (Iter, Next)
