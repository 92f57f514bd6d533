"""Edges between blocks: values move into the arguments of the target."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.ir import Block, BlockArgument, Successor, Value
from ppy_compiler.lower.body.boxes import ZERO, is_unbound, rematerialized
from ppy_compiler.lower.body.guards import Guards
from ppy_compiler.lower.reprs import Repr


class Edges(Guards):
    """Parallel copies with the references they need."""

    def goto(self, edge: Successor) -> Block:
        """A block that moves the edge's values and goes to its target; the current operation is the terminator."""
        target = edge.block
        if self.version is not None and self.version.strip is not None and target not in self.version.loop.blocks:
            return self.version.strip.rest
        dying = self.live.before(self.op) & ~self.live.beyond(target) & ~self._consumed
        if not target.args and not any(self.owned(v) for v in self.live.members(dying)):
            return self.entrance(target)
        here, block = self.b.block, self.b.new_block("edge")
        self.b.at(block)
        self._pass(target.args, list(edge.operands), dying)
        self.b.br(self.entrance(target))
        self.b.at(here)
        return block

    def entrance(self, target: Block) -> Block:
        """The native block through which the current operation enters ``target``."""
        version = self.versions.get(target.ops[0])
        if version is None or version.door is None or self.op.parent in version.loop.blocks:
            return self.blocks[target]
        return version.door

    def pass_along(self, edge: Successor) -> None:
        """What going along the edge does to values; the current operation is the terminator."""
        dying = self.live.before(self.op) & ~self.live.beyond(edge.block) & ~self._consumed
        self._pass(edge.block.args, list(edge.operands), dying)

    def _pass(self, args: Sequence[BlockArgument], values: list[Value], dying: int) -> None:
        """Parallel copy into the target's arguments: first everything that may leave, then references, then the
        stores."""
        wanted = [(a, v) for a, v in zip(args, values, strict=True) if self.live.into(a.block) & self.live.bit(a)]
        moves = [(a, *self._converted(a, v)) for a, v in wanted]
        moved = 0
        for (arg, source), (_, native, fresh) in zip(wanted, moves, strict=True):
            if self.repr(arg) is not Repr.OBJ or fresh:
                continue
            bit = 0 if rematerialized(source) else self.live.bit(source)
            if bit & dying & ~moved and self.owned(source):
                moved |= bit
            elif not is_unbound(source):
                self.b.incref(native, self.nullable(source))
        flags = [(self.flags[a], self.flag_of(v)) for a, v in wanted if a in self.flags]
        self._release(dying & ~moved)
        for arg, native, _ in moves:
            self.b.set(self.slots[arg], native)
        for slot, flag in flags:
            self.b.set(slot, flag)

    def _converted(self, arg: Value, value: Value) -> tuple[Value, bool]:
        """``value`` in ``arg``'s representation and whether that made a new reference."""
        target, kind = self.repr(arg), self.repr(value)
        if is_unbound(value):
            return (self.b.null() if target is Repr.OBJ else self.b.const(ZERO[target], target.native)), False
        native = self.read(value)
        if kind is target or {kind, target} <= {Repr.BOOL, Repr.BIT}:
            return native, False
        if target is Repr.OBJ:
            return self._box_nullable(value, native, kind), True
        if kind is Repr.OBJ:
            payload, ok = self.unbox(native, target, self.fn.facts.values.get(arg))
            self.deopt_unless(ok)
            return payload, False
        return self.convert_word(native, kind, target), False
