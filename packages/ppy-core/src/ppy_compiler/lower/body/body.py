"""A whole body: results of operations, calls of the runtime, the function's own slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I32, I64, OBJECT
from ppy_compiler.lower.body.unwinding import Unwinding
from ppy_compiler.lower.reprs import EITHER, Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.loopversions import Version


class Body(Unwinding):
    """What handlers (``lower.ops``) work with."""

    def budget(self, turns: int) -> Value:
        """The slot that counts loop turns down to the next poll."""
        if self._budget is None:
            self._budget = self.b.slot(I64, "budget")
            self.b.initialise(self._budget, turns, I64)
        return self._budget

    @property
    def patience(self) -> tuple[Value, Value]:
        """The slots that count turns in the twin: those left before the next attempt to leave it, and the current
        measure."""
        if self._patience is None:
            self._patience = (self.b.slot(I64, "patience"), self.b.slot(I64, "measure"))
        return self._patience

    @contextmanager
    def copying(self, version: Version) -> Iterator[None]:
        """Emit a loop's blocks once more, as ``version`` has them: new native blocks, with exits of their own."""
        kept = self.blocks, self._exits, self._cleanups
        self.blocks = {**self.blocks, **{block: self.b.new_block(block.hint) for block in version.loop.blocks}}
        self._exits, self._cleanups, self.version = {}, {}, version
        yield
        self.version = None
        self.blocks, self._exits, self._cleanups = kept

    def skip(self, block: Block) -> None:
        """``block`` has been emitted where it is reached from, and is no block of its own."""
        self.skipped.add(block)
        self.b.region.blocks.remove(self.blocks[block])

    def define(self, value: Value, native: Value, kind: Repr = Repr.OBJ, owned: bool = True) -> None:
        """The current operation's result; conversion, guards and dead results are settled when the operation ends."""
        self._pending.append((value, native, kind, owned))

    def define_same(self, value: Value, source: Value) -> None:
        """The result is ``source`` itself."""
        if self.repr(source).scalar:
            self.define(value, self.read(source), self.repr(source))
        else:
            self.define(value, self.take(source))

    def end(self) -> None:
        """Release operands that die here, then put the results in their homes."""
        self.release_temps()
        self.release_dying()
        after = self.live.after(self.op)
        while self._pending:
            value, native, kind, owned = self._pending[0]
            self._settle(value, native, kind, owned, bool(after & self.live.bit(value)))
            self._pending.pop(0)

    def _settle(self, value: Value, native: Value, kind: Repr, owned: bool, alive: bool) -> None:
        if not alive:
            if kind is Repr.OBJ and owned:
                self.b.decref(native, self.nullable(value))
            return
        target = self.repr(value)
        self.assumed.redefined(value)
        if kind is Repr.OBJ and target is Repr.OBJ:
            if not owned and value not in self.borrowed:
                self.b.incref(native, self.nullable(value))
        elif kind is Repr.OBJ:
            native = self._unbox_guarded(value, native, target, owned)
        elif target is Repr.OBJ:
            native = self.box(native, kind)
        elif kind is not target:
            native = self._convert(value, native, kind, target)
        self.store(value, native)

    def _unbox_guarded(self, value: Value, native: Value, target: Repr, owned: bool) -> Value:
        if not owned:
            self.b.incref(native)
            self._pending[0] = (value, native, Repr.OBJ, True)
        payload, ok = self.unbox(native, target, self.fn.facts.values.get(value))
        self.deopt_unless(ok, after=True)
        self.b.decref(native)
        return payload

    def _convert(self, value: Value, native: Value, kind: Repr, target: Repr) -> Value:
        if {kind, target} == {Repr.I64, Repr.U64}:
            self.deopt_unless(self.b.cmp("sge", native, self.b.i64(0)), after=True)
            return native
        if {kind, target} == {Repr.BOOL, Repr.BIT}:
            return native
        if EITHER.get(kind) is target:
            return self.b.either(native, self.b.i1(False))
        boxed = self.box(native, kind)
        self._pending[0] = (value, boxed, Repr.OBJ, True)
        return self._unbox_guarded(value, boxed, target, True)

    def deopt_with_result(self, result: Value, native: Value) -> None:
        """Leave for the twin after the current operation, whose result is the object ``native``; ends the block."""
        kept, self._pending = self._pending, [*self._pending, (result, native, Repr.OBJ, True)]
        temps, self._temps = self._temps, []
        with self.b.cold_block(self.b.block):
            self.release_dying()
            self.deopt(after=True)
        self._pending, self._temps = kept, temps

    def new(self, callee: str, *args: Value) -> Value:
        """A call that gives a new reference or fails with null."""
        value = self.b.call1(callee, args, OBJECT)
        self.release_temps()
        self.fail_if(self.b.is_null(value))
        return value

    def status(self, callee: str, *args: Value) -> None:
        """A call that fails with a negative ``int``."""
        value = self.b.call1(callee, args, I32)
        self.release_temps()
        self.fail_if(self.b.cmp("slt", value, self.b.i32(0)))

    def tri(self, callee: str, *args: Value) -> Value:
        """A call that answers true, false or fails."""
        value = self.b.call1(callee, args, I32)
        self.release_temps()
        self.fail_if(self.b.cmp("slt", value, self.b.i32(0)))
        return self.b.nonzero(value)

    def vector(self, values: Iterable[Value], room: int = 0) -> Value:
        """The objects in consecutive memory, ``room`` slots free before them; gives the address of the first."""
        natives = [self.obj(v) for v in values]
        array = self.b.array(8 * (len(natives) + room) or 8)
        for index, native in enumerate(natives):
            self.b.store(array, 8 * (index + room), native)
        return self.b.offset(array, 8 * room)
