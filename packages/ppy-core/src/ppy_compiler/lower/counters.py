"""Counters: additions that cannot overflow because nobody could wait for it.

A variable that starts within half a word's range and changes only by small constants, once or a few times per turn
of a loop, reaches the
word's end after at least 2**62 / 2**20 turns times the machine's speed: decades for the largest step taken here,
centuries for ``+= 1``. Such an
addition needs no guard. Anything else that feeds the variable must itself lie within half the range.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.py.names import Annotated, Const
from ppy_compiler.dialects.py.operators import Binary
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Block, BlockArgument, OpResult, Region, Value

LARGEST_STEP = 1 << 12
HALF = 1 << 62


class Counters:
    """``free``: additions and subtractions of constants that need no guard."""

    def __init__(self, region: Region, facts: Mapping[Value, Fact]) -> None:
        self.facts = facts
        self._incoming: dict[Value, list[Value]] = {}
        for block in region.blocks:
            self._note_edges(block)
        self.free = {
            op
            for block in region.blocks
            for op in block.ops
            if isinstance(op, Binary) and _step(op) is not None and self._counts(_counted(op))
        }

    def _note_edges(self, block: Block) -> None:
        for op in block.ops:
            for edge in op.edges():
                for arg, value in zip(edge.block.args[edge is op.unwind :], edge.operands, strict=True):
                    self._incoming.setdefault(arg, []).append(value)

    def _counts(self, value: Value) -> bool:
        """Whether everything that feeds ``value`` is a step of the same counter or small."""
        seen: set[Value] = set()
        work = [value]
        while work:
            value = work.pop()
            if value in seen or self._small(value):
                continue
            seen.add(value)
            if isinstance(value, BlockArgument):
                sources = self._incoming.get(value)
                if not sources:
                    return False
                work.extend(sources)
            elif isinstance(value, OpResult) and isinstance(value.op, Annotated):
                work.append(value.op.argument)
            elif isinstance(value, OpResult) and isinstance(value.op, Binary) and _step(value.op) is not None:
                work.append(_counted(value.op))
            else:
                return False
        return True

    def _small(self, value: Value) -> bool:
        if isinstance(value, OpResult) and value.op.name == "py.unbound":
            return True
        fact = self.facts.get(value)
        if fact is None or fact.lo is None or fact.hi is None:
            return False
        return fact.lo >= -HALF and fact.hi <= HALF


def _constant(value: Value) -> int | None:
    literal = value.op.literal if isinstance(value, OpResult) and isinstance(value.op, Const) else None
    return literal if type(literal) is int and abs(literal) <= LARGEST_STEP else None


def _step(op: Binary) -> int | None:
    """By how much ``op`` changes its other operand."""
    if op.kind == "+":
        right = _constant(op.rhs)
        return right if right is not None else _constant(op.lhs)
    return _constant(op.rhs) if op.kind == "-" else None


def _counted(op: Binary) -> Value:
    return op.lhs if op.kind == "-" or _constant(op.rhs) is not None else op.rhs
