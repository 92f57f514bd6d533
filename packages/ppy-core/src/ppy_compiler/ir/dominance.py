"""Which definitions reach which places, unwind edges from the middle of blocks included.

A block is split after every operation that unwinds; a dominator tree over these pieces says exactly what a handler
may use:
what was defined before the operation that raised, not the operation's own results.
"""

from __future__ import annotations

from ppy_compiler.ir.core import Block, BlockArgument, Operation, OpResult, Region, Value
from ppy_compiler.support.graphs import Dominators, dominators

Piece = tuple[Block, int]


class Dominance:
    """Answers for one region; ask again after changing its control flow or the order of its operations."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self._pieces: dict[Operation, int] = {}
        self._positions: dict[Operation, int] = {}
        self._last: dict[Block, int] = {}
        self._edges: dict[Piece, list[Piece]] = {}
        for block in region.blocks:
            self._split(block)
        self._tree: Dominators[Piece] = dominators((region.entry, 0), lambda piece: self._edges.get(piece, []))

    def _split(self, block: Block) -> None:
        piece = 0
        for position, op in enumerate(block.ops):
            self._pieces[op] = piece
            self._positions[op] = position
            here = self._edges.setdefault((block, piece), [])
            here += [(edge.block, 0) for edge in op.successors]
            if op.unwind is not None:
                here += [(block, piece + 1), (op.unwind.block, 0)]
                piece += 1
        self._last[block] = piece

    def reachable(self, block: Block) -> bool:
        """Whether control may come to the start of ``block``."""
        return (block, 0) in self._tree.depth

    def dominates(self, above: Block, below: Block) -> bool:
        """Whether every way to the start of ``below`` passes the start of ``above``."""
        return self._tree.dominates((above, 0), (below, 0))

    def available(self, value: Value, op: Operation) -> bool:
        """Whether ``value`` is defined whenever ``op``, in this region, starts."""
        if isinstance(value, BlockArgument):
            place: Piece = (value.block, 0)
        elif isinstance(value, OpResult):
            maker = value.op
            if maker not in self._pieces:
                return False
            if maker.parent is op.parent and self._positions[maker] >= self._positions[op]:
                return False
            assert maker.parent is not None
            place = (maker.parent, self._pieces[maker] + (maker.unwind is not None))
        else:
            return False
        assert op.parent is not None
        return self._tree.dominates(place, (op.parent, self._pieces[op]))
