"""The shape of one function's control flow, computed once: order, predecessors, dominators, loop headers, thresholds
for widening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.names import Const, DelGlobal, LoadGlobal, StoreGlobal
from ppy_compiler.ir import Block, Successor
from ppy_compiler.support.graphs import reverse_postorder

BASE_THRESHOLDS = (-(1 << 63), -(1 << 31), -1, 0, 1, (1 << 31) - 1, (1 << 32) - 1, (1 << 63) - 1, (1 << 64) - 1)
WORD_THRESHOLDS = [-(1 << 63), -1, 0, 1, (1 << 63) - 1, (1 << 64) - 1]
MOST_CONSTANTS = 48
MEMORY_OPS = frozenset((LoadGlobal, StoreGlobal, DelGlobal))
"""Depend on what the globals hold at their place: evaluated whenever their block is, in functions that store
globals."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Facts about a function's graph of blocks; only blocks reachable from the entry take part."""

    order: tuple[Block, ...]
    """Reverse postorder."""
    index: dict[Block, int]
    incoming: dict[Block, list[Successor]]
    parent: dict[Block, Block]
    """Immediate dominators; the entry has none."""
    children: dict[Block, list[Block]]
    headers: frozenset[Block]
    """Targets of edges that go back in the order."""
    thresholds: list[int]
    remembering: frozenset[Block]
    """Blocks that store globals."""


def _successor_blocks(block: Block) -> Iterable[Block]:
    # The last way on first: what follows a loop is then numbered after its body, and loops settle before what follows.
    return [edge.block for edge in block.edges()][::-1]


def _dominators(order: list[Block], index: dict[Block, int], sources: dict[Block, list[Block]]) -> dict[Block, Block]:
    """Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"."""
    entry = order[0]
    parent: dict[Block, Block] = {entry: entry}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            best: Block | None = None
            for source in sources[block]:
                if source not in parent:
                    continue
                if best is None:
                    best = source
                    continue
                a, b = source, best
                while a is not b:
                    while index[a] > index[b]:
                        a = parent[a]
                    while index[b] > index[a]:
                        b = parent[b]
                best = a
            if best is not None and parent.get(block) is not best:
                parent[block] = best
                changed = True
    del parent[entry]
    return parent


def shape_of(func: Func) -> Shape:
    """The shape of ``func``."""
    order = reverse_postorder([func.body.entry], _successor_blocks)
    index = {block: i for i, block in enumerate(order)}
    incoming: dict[Block, list[Successor]] = {block: [] for block in order}
    sources: dict[Block, list[Block]] = {block: [] for block in order}
    headers = set()
    remembering = set()
    constants: set[int] = set()
    for block in order:
        for op in block.ops:
            for edge in op.edges():
                incoming[edge.block].append(edge)
                sources[edge.block].append(block)
                if index[edge.block] <= index[block]:
                    headers.add(edge.block)
            if type(op) is StoreGlobal or type(op) is DelGlobal:
                remembering.add(block)
            elif type(op) is Const and type(op.literal) is int and len(constants) < MOST_CONSTANTS:
                constants.update((op.literal - 1, op.literal, op.literal + 1))
    parent = _dominators(order, index, sources)
    children: dict[Block, list[Block]] = {block: [] for block in order}
    for child, above in parent.items():
        children[above].append(child)
    thresholds = sorted(constants.union(BASE_THRESHOLDS))
    return Shape(
        tuple(order), index, incoming, parent, children, frozenset(headers), thresholds, frozenset(remembering)
    )
