"""The ``range`` loops of a function, outermost first, and whether they have the shape of independent iterations."""

from __future__ import annotations

from ppy_compiler.dialects.cf import Br
from ppy_compiler.dialects.py.exceptions import Raise, Reraise
from ppy_compiler.dialects.py.loops import Poll, RangeBegin, RangeNext
from ppy_compiler.infer.parallel.model import RangeLoop, Refusal
from ppy_compiler.ir import Block, BlockArgument, OpResult, Region, Value
from ppy_compiler.support.graphs import dominators, natural_loop, reverse_postorder


def raising(region: Region) -> frozenset[Block]:
    """Blocks from which every way on ends in an exception."""
    found: set[Block] = set()
    changed = True
    while changed:
        changed = False
        for block in region.blocks:
            last = block.terminator
            if block in found or last is None:
                continue
            raises = isinstance(last, Raise | Reraise)
            if raises or (last.successors and all(edge.block in found for edge in last.successors)):
                found.add(block)
                changed = True
    return frozenset(found)


def running_blocks(start: Block, within: frozenset[Block], doomed: frozenset[Block]) -> tuple[Block, ...]:
    """The blocks of ``within`` that are reached from ``start`` while nothing raises."""

    def following(block: Block) -> list[Block]:
        last = block.terminator
        edges = last.successors if last is not None else ()
        return [edge.block for edge in edges if edge.block in within and edge.block not in doomed]

    return tuple(reverse_postorder([start], following))


class Nest:
    """The loops of one function. ``loops``: by header, with all their blocks; ``begins``: where counted ones begin.
    ``reachable``: the blocks that inference saw something arrive at."""

    def __init__(self, region: Region, reachable: frozenset[Block]) -> None:
        self.reachable = reachable
        self.doomed = raising(region)
        predecessors: dict[Block, list[Block]] = {}
        for block in region.blocks:
            for edge in block.edges():
                predecessors.setdefault(edge.block, []).append(block)
        tree = dominators(region.entry, lambda block: [edge.block for edge in block.edges()])
        self.loops: dict[Block, frozenset[Block]] = {}
        for block in region.blocks:
            if block in reachable and block in tree.depth and any(isinstance(op, Poll) for op in block.ops):
                back = [p for p in predecessors.get(block, ()) if tree.dominates(block, p)]
                self.loops[block] = frozenset(natural_loop(block, back, predecessors))
        self.begins: dict[Block, RangeBegin] = {}
        self._ranges = [loop for header in self.loops if (loop := self._range(header, predecessors)) is not None]

    @property
    def outermost(self) -> list[RangeLoop]:
        return self._top([loop for loop in self._ranges if loop.header not in self.doomed])

    def inside(self, loop: RangeLoop) -> list[RangeLoop]:
        """The next loops inside ``loop``."""
        return self._top([other for other in self._ranges if other.blocks < loop.blocks])

    def _top(self, loops: list[RangeLoop]) -> list[RangeLoop]:
        return [loop for loop in loops if not any(loop.blocks < other.blocks for other in loops)]

    def _range(self, header: Block, predecessors: dict[Block, list[Block]]) -> RangeLoop | None:
        step = next((op for op in header.ops if isinstance(op, RangeNext)), None)
        blocks = self.loops[header]
        before = [block for block in predecessors.get(header, ()) if block not in blocks]
        if step is None or len(before) != 1:
            return None
        entry, begin = before[0].terminator, definition(step.stop)
        current = isinstance(step.current, BlockArgument) and step.current.block is header
        if not isinstance(entry, Br) or not isinstance(begin, RangeBegin) or not current:
            return None
        self.begins[header] = begin
        running = running_blocks(header, blocks & self.reachable, self.doomed)
        return RangeLoop(begin, step, entry, header, blocks, running)

    def around(self, block: Block) -> frozenset[Block]:
        """The heads of the loops that ``block`` is in."""
        return frozenset(header for header, blocks in self.loops.items() if block in blocks)

    def shape_refusal(self, loop: RangeLoop) -> Refusal | None:
        """A loop that something ends early has iterations that depend on earlier ones."""
        for block in loop.running:
            last = block.terminator
            assert last is not None
            for edge in last.successors:
                if edge.block in loop.blocks or edge.block in self.doomed or edge.block not in self.reachable:
                    continue
                if block is not loop.header or loop.next.more not in last.operands:
                    return Refusal("`break` or `return` ends it early", "let every iteration run to its end")
        return None


def definition(value: Value) -> object:
    """The operation that ``value`` is a result of."""
    return value.op if isinstance(value, OpResult) else None
