"""A body that runs beside the interpreter: on any thread, without the GIL, and for nothing if it cannot go on.

A chunk of a parallel loop, or a function that it calls. Where any other body would leave for the twin, raise, or see
to a signal, this one gives up; nobody has seen anything of it, and the loop runs again as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppy_compiler.ir import Block, BlockArgument, Operation, Successor, Value
from ppy_compiler.ir.types import I1, I32
from ppy_compiler.lower.body.body import Body
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering


@dataclass(frozen=True, slots=True)
class Trusted:
    """What a global is taken to hold: a function of the unit, a built-in object, or a number."""

    function: FunctionLowering | None = None
    builtin: object = None
    literal: object = None
    kind: Repr = Repr.OBJ


Callees = Callable[["FunctionLowering"], str]
"""The symbol of the worker body of a function."""


class Worker(Body):
    """``outside``: where the operation ``way_out`` leads that ends the loop; any other edge that leaves the blocks
    gives up. ``trusted``: the globals whose content the body takes for granted; whoever starts it compares them."""

    speculates = True

    def __init__(
        self, fn: FunctionLowering, native: NativeBuilder, abandoned: tuple[Value, ...], callees: Callees
    ) -> None:
        super().__init__(fn, "worker", native, native.params[0], None)
        self.callees_of = callees
        self.trusted: dict[str, Trusted] = {}
        self.way_out: Operation | None = None
        self.outside: Block | None = None
        self.abandon = native.new_block("abandon")
        native.at(self.abandon)
        native.ret(*abandoned)
        native.at(native.entry)

    def worker(self, target: FunctionLowering) -> str:
        return self.callees_of(target)

    def start(self, blocks: tuple[Block, ...]) -> None:
        """Native blocks, and slots for all that is live between them; everything else of the function is skipped."""
        live, slotted = self.live, 0
        for block in blocks:
            self.blocks[block] = self.b.new_block(block.hint or "block")
        for block in blocks:
            slotted |= live.into(block)
            for op in block.ops:
                if op.name in KEPT_RESULTS:
                    slotted |= live.bit(op.results[0])
        for value in live.members(slotted):
            self.give_slot(value)
        self.skipped |= {block for block in self.fn.source.body.blocks if block not in self.blocks}

    def give_slot(self, value: Value) -> None:
        if value not in self.slots and self.repr(value).scalar:
            self.slots[value] = self.make_slot(value)
            if value in self.fn.plan.flagged:
                self.flags[value] = self.b.slot(I1)
                self.b.initialise(self.flags[value], False, I1)

    def owned(self, value: Value) -> bool:
        """It holds no references: objects that variables may have held before have no place here."""
        return False

    def goto(self, edge: Successor) -> Block:
        leaves_strip = self.version is not None and self.version.strip is not None
        if edge.block in self.blocks or leaves_strip:
            return super().goto(edge)
        return self.outside if self.outside is not None and self.op is self.way_out else self.abandon

    def _pass(self, args: Sequence[BlockArgument], values: list[Value], dying: int) -> None:
        """Only numbers have a place here: what else is passed on, nobody looks at."""
        kept = [pair for pair in zip(args, values, strict=True) if pair[0] in self.slots]
        super()._pass([arg for arg, _ in kept], [value for _, value in kept], dying)

    def poll(self) -> Value:
        return self.b.call1("ppy_region_poll", [self.ctx], I32)

    def deopt(self, after: bool = False) -> None:
        self.b.br(self.abandon)

    def deopt_with_result(self, result: Value, native: Value) -> None:
        self.b.br(self.abandon)

    def fail(self, trace: bool = True) -> None:
        self.b.br(self.abandon)

    def leave(self) -> None:
        """Nothing has to be put back."""

    def finish(self) -> None:
        """No polls, no activation."""

    def _exit(self, after: bool) -> Block:
        return self.abandon


KEPT_RESULTS = frozenset({"py.next", "py.range_next"})
