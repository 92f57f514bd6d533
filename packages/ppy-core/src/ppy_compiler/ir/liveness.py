"""Which values are still needed where, unwind edges from the middle of blocks included.

Takes a region whose operations are well formed; knows no dialect. A value needed by a handler is live at every
operation that unwinds there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ppy_compiler.ir.core import Block, Operation, Region, Successor, Value
from ppy_compiler.support.graphs import postorder


def block_successors(block: Block) -> Iterator[Block]:
    """The blocks control may reach from ``block``, in the order of its edges (with repetitions)."""
    for edge in block.edges():
        yield edge.block


def reachable(region: Region) -> list[Block]:
    """The blocks reachable from the entry, in reverse postorder."""
    return postorder([region.entry], block_successors)[::-1] if region.blocks else []


class Liveness:
    """``live_in[block]``: values defined outside ``block`` (its arguments do not count) that are needed in it or
    after it.
    """

    def __init__(self, region: Region) -> None:
        self.blocks = reachable(region)
        self.live_in: dict[Block, set[Value]] = {block: set() for block in self.blocks}
        changed = True
        while changed:
            changed = False
            for block in reversed(self.blocks):
                live: set[Value] = set()
                for op in reversed(block.ops):
                    live.difference_update(op.results)
                    live |= self.needed(op)
                live.difference_update(block.args)
                if len(live) != len(self.live_in[block]):
                    self.live_in[block] = live
                    changed = True

    def needed(self, op: Operation) -> set[Value]:
        """What must be alive when ``op`` starts, because of it and its edges."""
        values = set(op.operands)
        for edge in op.edges():
            values |= self.needed_by(edge)
        for region in op.regions:
            values |= set(_captured(region))
        return values

    def needed_by(self, edge: Successor) -> set[Value]:
        """What an edge passes on, and what its block needs besides its arguments."""
        return self.live_in.get(edge.block, set()).union(edge.operands)

    def backwards(self, block: Block) -> Iterator[tuple[Operation, set[Value], set[Value]]]:
        """The operations of ``block`` from the last: each with what is live after it (along no edge) and what dies
        at it.

        The first set is the walk's own: copy it to keep it.
        """
        live: set[Value] = set()
        for op in reversed(block.ops):
            needed = self.needed(op)
            yield op, live, {v for v in needed.union(op.results) if v not in live}
            live.difference_update(op.results)
            live |= needed

    def clashes(self, hints: frozenset[str]) -> dict[Value, set[Value]]:
        """For every value whose hint is one of ``hints``, those with the same hint that are alive while it is."""
        found: dict[Value, set[Value]] = {}

        def define(value: Value, alive: set[Value]) -> None:
            if value.hint in hints:
                found.setdefault(value, set())
                for other in alive:
                    if other.hint == value.hint and other is not value:
                        found[value].add(other)
                        found.setdefault(other, set()).add(value)

        for block in self.blocks:
            for arg in block.args:
                define(arg, self.live_in[block].union(block.args))
            for op, live, _ in self.backwards(block):
                for result in op.results:
                    define(result, live.union(op.results))
        return found


def _captured(region: Region) -> Iterable[Value]:
    """Operands used inside ``region``; more than those defined outside, which does no harm."""
    for block in region.blocks:
        for op in block.ops:
            for inner in op.walk():
                yield from inner.operands
                for edge in inner.edges():
                    yield from edge.operands
