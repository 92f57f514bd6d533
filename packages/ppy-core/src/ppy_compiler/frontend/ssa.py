"""Static single assignment while the blocks are being built.

Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), with two changes. Phi
nodes are block arguments; they and the edges' operands are made only when the function is complete
(:meth:`SSA.finish`), so dropping a phi costs nothing. And control may leave a block in its middle (an operation
that unwinds), so a block is a chain of
*segments*: a store that follows such an edge opens a new one, and each edge remembers the segment it left from.

Variables are keys: strings for locals, any hashable for the builder's own temporaries. A key never written reads as the
null marker. Guaranteed: block arguments are minimal but for irreducible graphs, which Python's syntax does not make.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import cast

from ppy_compiler.ir import Block, BlockArgument, Successor, Value
from ppy_compiler.ir.types import OBJECT

Key = Hashable


class Pending:
    """Stands for a value that is being looked up; met again, it becomes a phi."""


PENDING = cast("Value", Pending())


class Segment:
    """A stretch of a block without an unwinding operation before a store."""

    __slots__ = ("block", "captured", "defs", "previous")

    def __init__(self, block: SSABlock, previous: Segment | None = None) -> None:
        self.block = block
        self.previous = previous
        self.captured = False
        self.defs: dict[Key, Value] = {}


class SSABlock:
    """What construction knows about one block."""

    __slots__ = ("block", "edges", "first", "incomplete", "phis", "sealed", "stores")

    def __init__(self, block: Block) -> None:
        self.block = block
        self.first = Segment(self)
        self.edges: list[tuple[Successor, Segment]] = []
        self.sealed = False
        self.stores: set[str] | None = None
        self.incomplete: dict[Key, BlockArgument] = {}
        self.phis: dict[BlockArgument, dict[Segment, Value]] = {}


class SSA:
    """Variables of one function."""

    def __init__(self, unbound: Callable[[], Value]) -> None:
        self._unbound = unbound
        self._forward: dict[Value, Value] = {}
        self._owner: dict[BlockArgument, SSABlock] = {}
        self._phi_users: dict[Value, dict[BlockArgument, None]] = {}
        self.blocks: dict[Block, SSABlock] = {}

    def add_block(self, hint: str) -> Block:
        block = Block(hint=hint)
        self.blocks[block] = SSABlock(block)
        return block

    def add_edge(self, edge: Successor, segment: Segment) -> None:
        state = self.blocks[edge.block]
        assert not state.sealed, "an edge to a sealed block"
        state.edges.append((edge, segment))

    def has_edges(self, block: Block) -> bool:
        return bool(self.blocks[block].edges)

    def loop(self, block: Block, stores: set[str]) -> None:
        """``block`` is a loop header, in whose loop no variables but ``stores`` are written."""
        self.blocks[block].stores = stores

    def seal(self, block: Block) -> None:
        """No further edge will lead to ``block``."""
        state = self.blocks[block]
        assert not state.sealed, "sealed twice"
        state.sealed = True
        while state.incomplete:
            key, phi = state.incomplete.popitem()
            self._complete(phi, key)

    # --- variables -------------------------------------------------------------------------------------------------

    def write(self, segment: Segment, key: Key, value: Value) -> Segment:
        """Store; the result is the segment to go on in."""
        if segment.captured:
            segment = Segment(segment.block, segment)
        segment.defs[key] = value
        return segment

    def read(self, segment: Segment, key: Key) -> Value:
        start: Segment = segment
        while True:
            value = segment.defs.get(key)
            if value is not None:
                break
            if segment.previous is None:
                value = self._read_entry(segment, key)
                break
            segment = segment.previous
        if value is PENDING:
            value = self._new_phi(segment, key)
        elif value in self._forward:
            value = self._resolve(value)
        start.defs[key] = value
        return value

    def is_phi(self, value: Value) -> bool:
        return value in self._owner

    def _read_entry(self, segment: Segment, key: Key) -> Value:
        state = segment.block
        edges = state.edges
        if not state.sealed:
            if state.stores is not None and edges and key not in state.stores:
                return self.read(edges[0][1], key)
            phi = self._new_phi(segment, key)
            state.incomplete[key] = phi
            return phi
        if not edges:
            return self._unbound()
        if len(edges) == 1:
            return self.read(edges[0][1], key)
        return self._join(segment, key)

    def _join(self, segment: Segment, key: Key) -> Value:
        segment.defs[key] = PENDING
        operands = self._operands(segment.block, key)
        found = segment.defs[key]
        if found is PENDING:
            values = list(operands.values())
            first = values[0]
            if all(value is first for value in values):
                segment.defs[key] = first
                return first
            found = self._new_phi(segment, key)
        assert isinstance(found, BlockArgument)
        return self._set_operands(found, operands)

    def _operands(self, state: SSABlock, key: Key) -> dict[Segment, Value]:
        operands: dict[Segment, Value] = {}
        for _, segment in state.edges:
            if segment not in operands:
                operands[segment] = self.read(segment, key)
        return operands

    # --- phis ------------------------------------------------------------------------------------------------------

    def _new_phi(self, segment: Segment, key: Key) -> BlockArgument:
        state = segment.block
        phi = BlockArgument(state.block, -1, OBJECT, key if isinstance(key, str) else "")
        state.phis[phi] = {}
        self._owner[phi] = state
        state.first.defs[key] = phi
        return phi

    def _complete(self, phi: BlockArgument, key: Key) -> None:
        self._set_operands(phi, self._operands(self._owner[phi], key))

    def _set_operands(self, phi: BlockArgument, operands: dict[Segment, Value]) -> Value:
        for segment, value in operands.items():
            value = operands[segment] = self._resolve(value)
            self._phi_users.setdefault(value, {})[phi] = None
        self._owner[phi].phis[phi] = operands
        return self._simplify(phi)

    def _simplify(self, phi: BlockArgument) -> Value:
        """Replace ``phi`` when all its operands are one value (or itself), then those that were waiting for it."""
        work = [phi]
        while work:
            candidate = work.pop()
            state = self._owner.get(candidate)
            if state is None:
                continue
            distinct = {v: None for v in map(self._resolve, state.phis[candidate].values()) if v is not candidate}
            if len(distinct) != 1:
                continue
            (same,) = distinct
            del state.phis[candidate], self._owner[candidate]
            work += self._substitute(candidate, same)
        return self._resolve(phi)

    def _substitute(self, old: Value, new: Value) -> list[BlockArgument]:
        """``new`` stands for ``old`` from now on; the phis for which that may matter."""
        self._forward[old] = new
        old.replace_all_uses(new)
        users = [user for user in self._phi_users.pop(old, {}) if user in self._owner]
        self._phi_users.setdefault(new, {}).update(dict.fromkeys(users))
        return users

    def replace(self, old: Value, new: Value) -> None:
        """Use ``new`` instead of ``old``, whose operation is going away."""
        for phi in self._substitute(old, self._resolve(new)):
            self._simplify(phi)

    def _resolve(self, value: Value) -> Value:
        while value in self._forward:
            value = self._forward[value]
        return value

    # --- completion ------------------------------------------------------------------------------------------------

    def maybe_unbound(self, unbound: Value) -> set[Value]:
        """The null marker and every phi that it can reach."""
        found = {unbound}
        work = [unbound]
        while work:
            for phi in self._phi_users.get(work.pop(), ()):
                if phi in self._owner and phi not in found:
                    found.add(phi)
                    work.append(phi)
        return found

    def finish(self) -> None:
        """Turn the phis that something uses into block arguments and give the edges that still exist their operands."""
        live = self._live_phis()
        for state in self.blocks.values():
            phis = [phi for phi in state.phis if phi in live]
            if not phis:
                continue
            for phi in phis:
                phi.index = len(state.block.args)
                state.block.args.append(phi)
            for edge, segment in state.edges:
                if _is_attached(edge):
                    edge.set_operands([self._resolve(state.phis[phi][segment]) for phi in phis])

    def _live_phis(self) -> set[BlockArgument]:
        work = [phi for phi in self._owner if phi.uses]
        live = set(work)
        while work:
            phi = work.pop()
            for value in self._owner[phi].phis[phi].values():
                operand = self._resolve(value)
                if isinstance(operand, BlockArgument) and operand in self._owner and operand not in live:
                    live.add(operand)
                    work.append(operand)
        return live


def _is_attached(edge: Successor) -> bool:
    op = edge.op
    if op is None or op.parent is None or op.parent.parent is None:
        return False
    return edge is op.unwind or edge in op.successors
