"""Guards: how a fast body leaves for the twin."""

from __future__ import annotations

from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I32, I64, OBJECT, PTR
from ppy_compiler.lower.body.activation import Activation
from ppy_compiler.lower.body.boxes import ZERO, rematerialized
from ppy_compiler.lower.frame import NOTHING_TO_PACK, Packing
from ppy_compiler.lower.reprs import EITHER, Repr


class Guards(Activation):
    """A failed guard leaves every live value in the frame."""

    def deopt_unless(self, ok: Value, after: bool = False) -> None:
        """A guard: unless ``ok``, the twin goes on before (or right after) the current operation."""
        if self.predicates is not None:
            assert not after
            self.predicates.append(ok)
            return
        if self.fn.unit.stress:
            ok = self.b.binary("and", ok, self.luck())
        go, cold = self.b.new_block(), self._exit(after)
        self.b.cond_br(ok, go, cold, likely=True)
        self.b.at(go)

    def luck(self) -> Value:
        """In the stress mode: whether a guard holds that holds."""
        return self.b.cmp("eq", self.b.call1("ppy_fail_guard", [self.ctx], I32), self.b.i32(0))

    @property
    def holds(self) -> bool:
        """Whether the current operation's guard was decided before the loop."""
        return self.version is not None and self.op in self.version.free

    def _exit(self, after: bool) -> Block:
        """The block that leaves here: guards of one operation that leave the same behind share it."""
        resume = self.op if after else self.fn.chains.anchors.get(self.op, self.op)
        key = (
            resume,
            self.op,
            after,
            tuple(self._temps),
            tuple(native for _, native, _, _ in self._pending),
            self._consumed,
        )
        found = self._exits.get(key)
        if found is None:
            found = self._exits[key] = self.b.new_block("exit")
            with self.b.cold_block(found):
                self.deopt(after)
        return found

    def deopt(self, after: bool = False) -> None:
        """Leave for the twin, ending the block."""
        assert not self.general, f"a guard in a general body at {self.op.name}"
        viewed, self.viewed = self.viewed, frozenset()
        self._leave_for_twin(after)
        self.viewed = viewed

    def _leave_for_twin(self, after: bool) -> None:
        for temp in self._temps:
            self.b.decref(temp)
        resume = self.op if after else self.fn.chains.anchors.get(self.op, self.op)
        mask = self.live.after(self.op) if after else self.live.before(resume)
        pending = {value: (native, kind, owned) for value, native, kind, owned in self._pending} if after else {}
        packing = Packing()
        for value in self.live.members(mask):
            if not rematerialized(value):
                known = pending.get(value)
                if known is None and value in self.packed:
                    known = self._made(self.packed[value]), Repr.OBJ, True
                native, kind, owned = known or (self.read(value), self.repr(value), self.owned(value))
                self._put(packing, value, native, kind, owned, known is None)
        self._in_frame(0, self.b.i64(self.fn.point(resume, after)))
        records, leaving = self._way_out()
        name = self.fn.packing(packing.content or NOTHING_TO_PACK)
        self.b.set(records, self.b.symbol(name))
        self.b.br(leaving)

    def _way_out(self) -> tuple[Value, Block]:
        """What all exits share: the block that packs, by the records in the slot, and goes on in general code."""
        status = self.leaving_status
        if status not in self._exit_tails:
            records, leaving = self._exit_tails[status] = (self.b.slot(PTR, "records"), self.b.new_block("leaving"))
            with self.b.cold_block(leaving):
                self.need_gil()
                self.b.call("ppy_pack", [self.frame, self.b.get(records)])
                self.leave()
                if self.role == "loops":
                    self.b.ret(self.b.const(ZERO[self.fn.returns], self.fn.returns.native), self.b.i64(status))
                else:
                    context = [self.ctx, *self._func_args(), self.frame]
                    self.b.ret(*self.b.call(self.fn.name("run"), context, *self.fn.fast_returns))
        return self._exit_tails[status]

    def _put(self, packing: Packing, value: Value, native: Value, kind: Repr, owned: bool, flags: bool) -> None:
        """Store a live value at its place, and note what makes it an owned object there."""
        b, frame = self.b, self.fn.frame
        place = frame.place(value)
        if kind is Repr.OBJ:
            self._in_frame(place, native)
            if not owned:
                packing.borrowed(place, self.nullable(value))
            return
        number, *bits = b.parts(native) if kind.either else (native,)
        self._in_frame(place, b.cast("zext", number, I64) if kind in (Repr.BOOL, Repr.NBOOL) else number)
        places = [frame.bit_place(value)] if bits else []
        flagged = flags and value in self.flags
        if flagged:
            bits.append(b.get(self.flags[value]))
            places.append(frame.flag_place(value))
        for bit, at in zip(bits, places, strict=True):
            self._in_frame(at, b.cast("zext", bit, I64))
        if kind is not Repr.BIT:
            packing.scalar(kind, place, places, flagged)

    def _made(self, integers: tuple[Value, ...]) -> Value:
        """The tuple of an index."""
        b, array = self.b, self.b.array(8 * len(integers))
        items = [self.box(native, Repr.NI64) for native in integers]
        for index, item in enumerate(items):
            b.store(array, 8 * index, item)
        made = b.call1("ppy_make_tuple", [array, b.i64(len(items))], OBJECT)
        for item in items:
            b.decref(item)
        return made

    def _in_frame(self, place: int, native: Value) -> None:
        key = (place, native.type)
        if key not in self._places:
            self._places[key] = self.b.frame_slot(self.frame, place, native.type)
        self.b.set(self._places[key], native)

    def convert_word(self, native: Value, kind: Repr, target: Repr) -> Value:
        """Between two unboxed representations, guarded before the operation where the value may not fit."""
        if kind is target or {kind, target} == {Repr.BOOL, Repr.BIT}:
            return native
        if EITHER.get(kind) is target:
            return self.b.either(native, self.b.i1(False))
        if {kind, target} == {Repr.I64, Repr.U64}:
            self.deopt_unless(self.b.cmp("sge", native, self.b.i64(0)))
            return native
        boxed = self.box(native, kind)
        payload, ok = self.unbox(boxed, target)
        self.b.decref(boxed)
        self.deopt_unless(ok)
        return payload
