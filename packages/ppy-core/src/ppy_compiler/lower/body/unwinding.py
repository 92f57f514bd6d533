"""Errors: how a failing operation reaches its handler, or leaves the function."""

from __future__ import annotations

from ppy_compiler.ir import Block, Successor, Value
from ppy_compiler.ir.types import I64, OBJECT
from ppy_compiler.lower.body.edges import Edges


class Unwinding(Edges):
    """Traceback entry, references, handler: shared by the operations that leave the same behind."""

    def fail_if(self, failed: Value) -> None:
        """When ``failed``, an exception is set: unwind."""
        cold, go = self.b.new_block("raised"), self.b.new_block()
        self.b.cond_br(failed, cold, go, likely=False)
        self.b.at(cold)
        self.fail()
        self.b.at(go)

    def fail(self, trace: bool = True) -> None:
        """An exception is set: unwind from here, ending the block."""
        for temp in self._temps:
            self.b.decref(temp)
        if self._lasti is None:
            self._lasti = self.b.slot(I64, "lasti")
        if trace:
            self.b.set(self._lasti, self.b.i64(self.lasti))
        self.b.br(self._cleanup(trace))

    def _cleanup(self, trace: bool) -> Block:
        """The block that traces, releases what dies on the way and goes to the handler: shared by operations that
        leave the same behind."""
        unwind = self.op.unwind
        keep = 0 if unwind is None else self.live.beyond(unwind.block)
        mask = self.live.before(self.op) & ~self._consumed
        carried = () if unwind is None else tuple(unwind.operands)
        key = (self.op.parent, mask & ~keep, unwind.block if unwind else None, carried, trace)
        found = self._cleanups.get(key)
        if found is None:
            here, found = self.b.block, self.b.new_block("cleanup")
            self._cleanups[key] = found
            self.b.at(found)
            if trace:
                assert self._lasti is not None
                self._traces.append((self.b.block, len(self.b.block.ops)))
                self.b.call("ppy_trace", [self.ctx, self.act, self.b.symbol(self.fn.record), self.b.get(self._lasti)])
            if unwind is None:
                self._release(mask)
                self.b.br(self.fail_block())
            else:
                self._to_handler(unwind, mask & ~keep)
            self.b.at(here)
        return found

    def _to_handler(self, unwind: Successor, dying: int) -> None:
        self._lingers = True
        values = list(unwind.operands)
        self._pass(unwind.block.args[1:], values, dying)
        exception = self.b.call1("ppy_fetch", [], OBJECT)
        handler = unwind.block.args[0]
        if self.live.into(unwind.block) & self.live.bit(handler):
            self.store(handler, exception)
        else:
            self.b.decref(exception)
        self.b.br(self.blocks[unwind.block])

    def fail_block(self) -> Block:
        """Leaves the function with the exception set."""
        if self._fail is None:
            here, self._fail = self.b.block, self.b.new_block("fail")
            self.b.at(self._fail)
            self.leave()
            self.fn.return_raised(self)
            self.b.at(here)
        return self._fail
