"""Loops: the point where signal handlers may run, and counted loops.

``py.range_begin`` and ``py.range_next`` are made by the structural pass that recognises ``for x in range(...)``:
they keep the state
of the iteration in SSA values instead of a hidden object, so that a guard in the loop knows it.
"""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import RUNS
from ppy_compiler.ir import Op, operand, operands, result
from ppy_compiler.ir.types import I1, OBJECT


class Poll(Op):
    """Stands at the head of every loop: pending signal handlers run here and other threads are let in, as at
    CPython's
    backward jumps. The frontend emits it with the ``unwind`` of the place; the reference does nothing."""

    name = "py.poll"
    traits = RUNS


class RangeBegin(Op):
    """The state of iterating ``callee(*args)``, where ``callee`` is expected to be the builtin ``range``.

    If it is, and all one to three arguments are exact ``int`` objects and the step is not zero: ``iterator`` is the
    null marker and ``current``,
    ``stop``, ``step`` are ``int`` objects. Otherwise ``iterator`` is ``iter(callee(*args))`` and the other three are
    ``None``.
    """

    name = "py.range_begin"
    traits = RUNS
    callee = operand()
    args = operands()
    iterator = result(OBJECT)
    current = result(OBJECT)
    stop = result(OBJECT)
    step = result(OBJECT)


class RangeNext(Op):
    """One step of the iteration: ``item`` and ``more`` as in ``py.next``, and the state after it.

    With the null marker as ``iterator``: ``item`` is ``current`` and ``following`` is ``current + step`` while
    ``current`` is
    before ``stop`` in the direction of ``step``; at the end ``item`` is the null marker and ``following`` is
    ``current``. Otherwise ``py.next(iterator)``,
    and ``following`` is ``None``.
    """

    name = "py.range_next"
    traits = RUNS
    iterator = operand()
    current = operand()
    stop = operand()
    step = operand()
    item = result(OBJECT)
    more = result(I1)
    following = result(OBJECT)


OPS = (Poll, RangeBegin, RangeNext)
