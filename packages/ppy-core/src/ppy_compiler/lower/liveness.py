"""Which Python values are live at each operation: what a guard must carry and where references die.

Sets are bit masks over a numbering of the function's values. An operation's unwind edge leaves from its middle: what
the handler needs is live before the operation.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppy_compiler.ir import Block, Operation, Region, Value


class Liveness:
    """Backward data flow over one function; ``before(op)`` and ``into(block)`` are masks, ``members`` turns one into
    values."""

    def __init__(self, region: Region) -> None:
        self.numbers: dict[Value, int] = {}
        self.values: list[Value] = []
        for block in region.blocks:
            for arg in block.args:
                self._number(arg)
            for op in block.ops:
                for result in op.results:
                    self._number(result)
        self._into: dict[Block, int] = dict.fromkeys(region.blocks, 0)
        self._before: dict[Operation, int] = {}
        self._after: dict[Operation, int] = {}
        self._solve(region)

    def _number(self, value: Value) -> None:
        self.numbers[value] = len(self.values)
        self.values.append(value)

    def bit(self, value: Value) -> int:
        return 1 << self.numbers[value]

    def into(self, block: Block) -> int:
        """Live at the start of ``block``, its own arguments included."""
        return self._into[block]

    def before(self, op: Operation) -> int:
        return self._before[op]

    def after(self, op: Operation) -> int:
        """Live after ``op`` completed, its results included; for a terminator, nothing beyond its edges is meant."""
        return self._after[op]

    def beyond(self, block: Block) -> int:
        """Live into ``block`` apart from its arguments: what its predecessors must keep."""
        mask = self._into[block]
        for arg in block.args:
            mask &= ~self.bit(arg)
        return mask

    def members(self, mask: int) -> Iterator[Value]:
        values = self.values
        while mask:
            low = mask & -mask
            yield values[low.bit_length() - 1]
            mask ^= low

    def _solve(self, region: Region) -> None:
        predecessors: dict[Block, set[Block]] = {block: set() for block in region.blocks}
        for block in region.blocks:
            for edge in block.edges():
                predecessors[edge.block].add(block)
        work = list(region.blocks)
        queued = set(work)
        while work:
            block = work.pop()
            queued.discard(block)
            if self._transfer(block):
                for predecessor in predecessors[block] - queued:
                    queued.add(predecessor)
                    work.append(predecessor)

    def _transfer(self, block: Block) -> bool:
        live = 0
        for op in reversed(block.ops):
            self._after[op] = live
            for result in op.results:
                live &= ~self.bit(result)
            for operand in op.operands:
                live |= self.bit(operand)
            for edge in op.edges():
                live |= self.beyond(edge.block)
                for operand in edge.operands:
                    live |= self.bit(operand)
            self._before[op] = live
        changed = live != self._into[block]
        self._into[block] = live
        return changed
