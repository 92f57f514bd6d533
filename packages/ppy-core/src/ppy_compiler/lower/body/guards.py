"""Guards: how a fast body leaves for the twin."""

from __future__ import annotations

from ppy_compiler.ir import Value
from ppy_compiler.ir.types import I32
from ppy_compiler.lower.body.activation import Activation
from ppy_compiler.lower.body.boxes import GAVE_UP, ZERO, rematerialized
from ppy_compiler.lower.exits import Exit, ExitItem
from ppy_compiler.lower.reprs import Repr


class Guards(Activation):
    """A failed guard hands every live value to an exit."""

    def deopt_unless(self, ok: Value, after: bool = False) -> None:
        """A guard: unless ``ok``, the twin goes on before (or right after) the current operation."""
        if self.predicates is not None:
            assert not after
            self.predicates.append(ok)
            return
        if self.fn.unit.stress:
            luck = self.b.cmp("eq", self.b.call1("ppy_fail_guard", [self.ctx], I32), self.b.i32(0))
            ok = self.b.binary("and", ok, luck)
        cold, go = self.b.new_block("exit"), self.b.new_block()
        self.b.cond_br(ok, go, cold, likely=True)
        self.b.at(cold)
        self.deopt(after)
        self.b.at(go)

    def deopt(self, after: bool = False) -> None:
        """Leave for the twin, ending the block."""
        assert not self.general, f"a guard in a general body at {self.op.name}"
        for temp in self._temps:
            self.b.decref(temp)
        resume = self.op if after else self.fn.chains.anchors.get(self.op, self.op)
        mask = self.live.after(self.op) if after else self.live.before(resume)
        pending = {value: (native, kind, owned) for value, native, kind, owned in self._pending} if after else {}
        items: list[ExitItem] = []
        args: list[Value] = []
        for value in self.live.members(mask):
            if rematerialized(value):
                continue
            native, kind, owned = pending.get(value) or (self.read(value), self.repr(value), self.owned(value))
            flag = value in self.flags and value not in pending
            items.append(ExitItem(self.live.numbers[value], kind, owned, flag, self.nullable(value)))
            args.append(native)
            if flag:
                args.append(self.b.get(self.flags[value]))
        packs = self.role == "loops"
        exit = self.fn.exit(Exit(self.fn.point(resume, after), tuple(items), packs))
        self.leave()
        if packs:
            assert self.buffer is not None
            self.b.call(exit, [self.ctx, *self._func_args(), self.buffer, *args], cold=True)
            self.b.ret(self.b.const(ZERO[self.fn.returns], self.fn.returns.native), self.b.i64(GAVE_UP))
        else:
            self.b.ret(*self.b.call(exit, [self.ctx, *self._func_args(), *args], *self.fn.fast_returns, cold=True))

    def convert_word(self, native: Value, kind: Repr, target: Repr) -> Value:
        """Between two unboxed representations, guarded before the operation where the value may not fit."""
        if kind is target or {kind, target} == {Repr.BOOL, Repr.BIT}:
            return native
        if {kind, target} == {Repr.I64, Repr.U64}:
            self.deopt_unless(self.b.cmp("sge", native, self.b.i64(0)))
            return native
        boxed = self.box(native, kind)
        payload, ok = self.unbox(boxed, target)
        self.b.decref(boxed)
        self.deopt_unless(ok)
        return payload
