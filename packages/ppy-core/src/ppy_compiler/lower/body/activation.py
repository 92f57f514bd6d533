"""The activation: what makes a native function visible as a frame and in tracebacks."""

from __future__ import annotations

from ppy_compiler.dialects import func, mem
from ppy_compiler.ir import Block, Operation, Value
from ppy_compiler.ir.types import PTR
from ppy_compiler.lower.body.gil import Polls


class Activation(Polls):
    """Offsets, frames, and leaving the function."""

    @property
    def lasti(self) -> int:
        return self.fn.offsets.of(self.op.span)

    @property
    def act(self) -> Value:
        if self._act is None:
            self._act = self.b.array(16)
        return self._act

    def enter_frame(self) -> None:
        """Before code that may look at the calling frame."""
        self.b.call("ppy_frame_enter", self.frame_operands())

    def enter_frame_for(self, first: Value, second: Value | None = None) -> None:
        """Before an operator on one object or two: builtin ones run no Python code."""
        self.b.call("ppy_frame_enter_for", [*self.frame_operands(), first, self.b.null() if second is None else second])

    def frame_operands(self) -> tuple[Value, Value, Value, Value]:
        """For a function that enters the frame itself where it must."""
        self._lingers = True
        return self.ctx, self.act, self.b.symbol(self.fn.record), self.b.i64(self.lasti)

    def cache_operands(self) -> tuple[Value, Value, Value, Value]:
        """The same for an operation on an attribute, whose cache says where it is."""
        caches = self.b.symbol(self.fn.name("caches"))
        return *self.frame_operands()[:3], self.b.offset(caches, self.fn.cache(self.op))

    def leave(self) -> None:
        """Stands before every way out of the function: the activation ends here, if the body turns out to have
        one."""
        self.need_gil()
        self._leaves.append((self.b.block, len(self.b.block.ops)))

    def poll(self) -> Value:
        """What signal handlers and other threads want, as ``ppy_poll`` answers it."""
        return self.poll_call(self.act, self.b.symbol(self.fn.record), self.lasti)

    def _zero(self, block: Block, index: int) -> None:
        """An activation begins: at the function's start where it may be entered or caught, else just before its only
        use."""
        assert self._act is not None
        null = self.b.const(None, PTR)
        block.insert(index, mem.Store(self._act, null, offset=0))
        block.insert(index + 1, mem.Store(self._act, null, offset=8))

    def finish(self) -> None:
        """After the last operation: fill in what only the whole body tells."""
        inserts: list[tuple[Block, int, Operation]] = []
        if self.object_free:
            for block, index in self.let_gil_go():
                inserts.append((block, index, func.Call((self.ctx,), callee="ppy_gil_take", types=())))
        elif self._polls:
            self._lingers = True
        if self._act is not None:
            if not self._lingers:
                self._leaves = [(block, index) for block, index in self._leaves if block is self._fail]
            for block, index in self._leaves:
                inserts.append((block, index, func.Call((self.ctx, self._act), callee="ppy_act_clear", types=())))
        for block, index, op in sorted(inserts, key=lambda insert: insert[1], reverse=True):
            block.insert(index, op)
        if self._act is not None:
            self.b.const(None, PTR)  # made before places in the entry block are counted
            for block, index in [(self.b.entry, self.b.allocated)] if self._lingers else self._traces:
                self._zero(block, index)
