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
        with self.b.cold_block(cold):
            self.fail()
        self.b.at(go)

    def fail(self, trace: bool = True) -> None:
        """An exception is set: unwind from here, ending the block."""
        if self.redo:
            self.b.call("PyErr_Clear", [])
            self.deopt()
            return
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
        if unwind is None:
            return self._leaving([v for v in self.live.members(mask) if self.owned(v)], trace)
        key = (self.op.parent, mask & ~keep, unwind.block, tuple(unwind.operands), trace)
        found = self._cleanups.get(key)
        if found is None:
            found = self._cleanups[key] = self.b.new_block("cleanup")
            with self.b.cold_block(found):
                self._trace(trace)
                self._to_handler(unwind, mask & ~keep)
        return found

    def _leaving(self, values: list[Value], trace: bool) -> Block:
        """The block that releases ``values`` and leaves the function: each goes on with the one for the rest."""
        place = self.op.parent if any(v in self.homes for v in values) else None
        key = (place, tuple(values), trace)
        found = self._cleanups.get(key)
        if found is None:
            found = self._cleanups[key] = self.b.new_block("cleanup")
            with self.b.cold_block(found):
                if values:
                    self.b.decref(self.read(values[0]), self.nullable(values[0]))
                    self.b.br(self._leaving(values[1:], trace))
                else:
                    self._trace(trace)
                    self.b.br(self.fail_block())
        return found

    def _trace(self, trace: bool) -> None:
        """Add the traceback entry of the operation that failed."""
        if not trace:
            self._lingers = True  # the way out ends an activation that nothing on this path begins
        else:
            assert self._lasti is not None
            self.need_gil()
            self._traces.append((self.b.block, len(self.b.block.ops)))
            self.b.call("ppy_trace", [self.ctx, self.act, self.b.symbol(self.fn.record), self.b.get(self._lasti)])

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
            self._fail = self.b.new_block("fail")
            with self.b.cold_block(self._fail):
                self.leave()
                self.fn.return_raised(self)
        return self._fail
