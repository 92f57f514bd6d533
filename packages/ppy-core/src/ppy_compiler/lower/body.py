"""One native body of a Python function: where its values live, how operations fail, how guards leave.

A body is made from Python IR operation by operation. Handlers (``lower.ops``) say what an operation does with its operands;
this class does the rest around them, the same way for every operation:

* values: read in any representation, defined in any, converted and guarded as the plan says;
* references: an object defined here is owned from its definition to its last use, and released on every way out, exceptional ones
  included; parameters of a fast body and constants are borrowed;
* errors: a failing operation records its bytecode offset, adds its traceback entry, releases what the handler does not need, and goes there;
* guards: a failed guard calls an *exit*, which boxes the live values and enters the twin at that very point.

What lives across blocks lives in slots (see ``dialects.mem``), so a body may be entered at any block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ppy_compiler.dialects import arith, func, mem
from ppy_compiler.dialects.py import exceptions, names
from ppy_compiler.ir import Block, BlockArgument, Operation, OpResult, Successor, Value
from ppy_compiler.ir.types import F64, I1, I32, I64, OBJECT, PTR
from ppy_compiler.infer.facts import Fact, Literal
from ppy_compiler.lower.exits import Exit, ExitItem
from ppy_compiler.lower.fits import in_range, signed
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering

REMATERIALIZED = (names.Const, names.Unbound, names.FreeCell, exceptions.LoadAssertionError)
"""Made anew at each use: never live, never carried by a guard."""


class Body:
    """State while one body is emitted. ``role``: ``fast``, ``loops`` or ``twin``."""

    def __init__(self, fn: FunctionLowering, role: str, native: NativeBuilder, ctx: Value, func: Value | None) -> None:
        self.fn = fn
        self.role = role
        self.b = native
        self.ctx = ctx
        self.func = func
        self.live = fn.liveness
        self.general = role == "twin"
        self.blocks: dict[Block, Block] = {}
        self.slots: dict[Value, Value] = {}
        self.flags: dict[Value, Value] = {}
        self.homes: dict[Value, Value] = {}
        self.borrowed: set[Value] = set()
        self.callees: set[Value] = set()
        self.entries: set[tuple[Block, int]] = set()
        self.op: Operation
        self._cleanups: dict[object, Block] = {}
        self._temps: list[Value] = []
        self._consumed = 0
        self._pending: list[tuple[Value, Value, Repr, bool]] = []
        self._act: Value | None = None
        self._lasti: Value | None = None
        self._fail: Block | None = None
        self._leaves: list[tuple[Block, int]] = []
        self._traces: list[tuple[Block, int]] = []
        self._lingers = False
        self.recursion = fn.name("fast")
        self._resumes: dict[tuple[Block, int], Block] = {}
        self.tested: dict[Value, Value] = {}
        self._budget: Value | None = None
        self._patience: tuple[Value, Value] | None = None
        self.buffer: Value | None = None

    def resume_block(self, position: tuple[Block, int]) -> Block:
        """The native block at which the body goes on when entered at ``position``."""
        if position not in self._resumes:
            self._resumes[position] = self.b.new_block("resumed")
        return self._resumes[position]

    # What a value is

    def repr(self, value: Value) -> Repr:
        if value.type == I1:
            return Repr.BIT
        return Repr.OBJ if self.general else self.fn.plan.reprs[value]

    def nullable(self, value: Value) -> bool:
        return value in self.fn.plan.nullable

    def fact(self, value: Value) -> Fact | None:
        """What is known of ``value`` here; nothing in a general body."""
        if self.general or value.type == I1:
            return None
        assert self.op.parent is not None
        return self.fn.facts.at(value, self.op.parent)

    def global_literal(self, value: Value) -> Literal | None:
        """The constant that a global is known to hold, under a guard."""
        fact = None if self.general else self.fn.facts.values.get(value)
        return fact.literal if fact is not None else None

    def owned(self, value: Value) -> bool:
        """Whether this body holds a reference for ``value``."""
        return self.repr(value) is Repr.OBJ and value not in self.borrowed and value not in self.callees and not rematerialized(value)

    def dies(self, value: Value) -> bool:
        """Whether the current operation is the last use."""
        return not self.live.after(self.op) & self.live.bit(value)

    def alive_after(self, value: Value) -> bool:
        return bool(self.live.after(self.op) & self.live.bit(value))

    # What belongs to the function

    @property
    def unit(self) -> Value:
        return self.b.symbol("unit")

    def module_dict(self) -> Value:
        return self.b.load(self.unit, UNIT_DICT, OBJECT)

    def budget(self, turns: int) -> Value:
        """The slot that counts loop turns down to the next poll."""
        if self._budget is None:
            self._budget = self.b.slot(I64, "budget")
            self.b.initialise(self._budget, turns, I64)
        return self._budget

    @property
    def patience(self) -> tuple[Value, Value]:
        """The slots that count turns in the twin: those left before the next attempt to leave it, and the current measure."""
        if self._patience is None:
            self._patience = (self.b.slot(I64, "patience"), self.b.slot(I64, "measure"))
        return self._patience

    def poll_call(self) -> Value:
        return self.b.call1("ppy_poll", [self.ctx], I32)

    # Reading

    def read(self, value: Value) -> Value:
        """The value in its own representation, borrowed."""
        if rematerialized(value):
            return self._materialize(value)
        if value in self.callees:
            assert isinstance(value, OpResult) and isinstance(value.op, names.LoadGlobal)
            return self.b.call1("ppy_global_peek", [self.unit, self.b.i64(self.fn.unit.cell(value.op.var))], OBJECT)
        home = self.homes.get(value)
        return home if home is not None else self.b.get(self.slots[value])

    def _materialize(self, value: Value) -> Value:
        assert isinstance(value, OpResult)
        op = value.op
        if isinstance(op, names.Unbound):
            return self.b.null()
        if isinstance(op, names.FreeCell):
            assert self.func is not None
            return self.b.call1("ppy_func_cell", [self.func, self.b.i64(self.fn.free_index(op.var))], OBJECT)
        if isinstance(op, exceptions.LoadAssertionError):
            return self.b.load(self.b.symbol("PyExc_AssertionError"), 0, OBJECT)
        assert isinstance(op, names.Const)
        kind = self.repr(value)
        if kind is Repr.OBJ:
            return self.constant(op.literal)
        return self.b.const(word(op.literal, kind), kind.native)

    def constant(self, literal: object) -> Value:
        """A constant object, borrowed from the unit."""
        singleton = SINGLETONS.get(id(literal))
        if singleton is not None:
            return self.b.value_symbol(singleton)
        return self.b.load(self.b.symbol(self.fn.unit.constant(literal)), 0, OBJECT, invariant=True)

    def obj(self, value: Value) -> Value:
        """The value as an object, borrowed until the operation ends."""
        kind = self.repr(value)
        native = self.read(value)
        if kind is Repr.OBJ:
            return native
        if kind in (Repr.BOOL, Repr.BIT):
            return self.bit_object(native)
        boxed = self.box(native, kind)
        self._temps.append(boxed)
        return boxed

    def bit_object(self, bit: Value) -> Value:
        """``True`` or ``False``, borrowed."""
        return self.b.select(bit, self.b.value_symbol("_Py_TrueStruct"), self.b.value_symbol("_Py_FalseStruct"))

    def keep_temp(self, native: Value) -> None:
        """A reference made for the current operation: released when it ends or fails."""
        self._temps.append(native)

    def box(self, native: Value, kind: Repr) -> Value:
        """A new object for an unboxed value (never fails but for memory)."""
        if kind in (Repr.BOOL, Repr.BIT):
            native = self.b.cast("zext", native, I64)
        boxed = self.b.call1(BOXES[kind], [native], OBJECT)
        return boxed

    def take(self, value: Value) -> Value:
        """The value as an object with a reference of its own for the caller to give away."""
        kind = self.repr(value)
        if kind.scalar:
            return self.box(self.read(value), kind)
        native = self.read(value)
        if self.owned(value) and self.dies(value) and not self._consumed & self.live.bit(value) and self._uses(value) == 1:
            self._consumed |= self.live.bit(value)
            return native
        self.b.call("ppy_xincref" if self.nullable(value) else "ppy_incref", [native])
        return native

    def consume(self, value: Value) -> None:
        """The current operation takes over the reference of ``value``, or there never was one."""
        self._consumed |= self.live.bit(value)

    def _uses(self, value: Value) -> int:
        count = sum(operand is value for operand in self.op.operands)
        return count + sum(operand is value for edge in self.op.edges() for operand in edge.operands)

    def present(self, value: Value) -> Value:
        """Whether a nullable value is not the null marker, as a bit."""
        if value in self.flags:
            return self.b.get(self.flags[value])
        if self.repr(value).scalar:
            return self.b.i1(True)
        return self.b.cmp("ne", self.read(value), self.b.null())

    # Defining

    def define(self, value: Value, native: Value, kind: Repr = Repr.OBJ, owned: bool = True) -> None:
        """The current operation's result; conversion, guards and dead results are settled when the operation ends."""
        self._pending.append((value, native, kind, owned))

    def define_same(self, value: Value, source: Value) -> None:
        """The result is ``source`` itself."""
        if self.repr(source).scalar:
            self.define(value, self.read(source), self.repr(source))
        else:
            self.define(value, self.take(source))

    def begin(self, op: Operation) -> None:
        self.op = op
        self._consumed = 0
        self._temps = []
        self._pending = []

    def end(self) -> None:
        """Release operands that die here, then put the results in their homes."""
        self.release_temps()
        self.release_dying()
        after = self.live.after(self.op)
        while self._pending:
            value, native, kind, owned = self._pending[0]
            self._settle(value, native, kind, owned, bool(after & self.live.bit(value)))
            self._pending.pop(0)

    def release_dying(self) -> None:
        """Operands whose last use the current operation is."""
        self._release(self.live.before(self.op) & ~self.live.after(self.op) & ~self._consumed)

    def _settle(self, value: Value, native: Value, kind: Repr, owned: bool, alive: bool) -> None:
        if not alive:
            if kind is Repr.OBJ and owned:
                self.b.decref(native, self.nullable(value))
            return
        target = self.repr(value)
        if kind is Repr.OBJ and target is Repr.OBJ:
            if not owned and value not in self.borrowed:
                self.b.call("ppy_xincref" if self.nullable(value) else "ppy_incref", [native])
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
        boxed = self.box(native, kind)
        self._pending[0] = (value, boxed, Repr.OBJ, True)
        return self._unbox_guarded(value, boxed, target, True)

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

    def unbox(self, native: Value, target: Repr, fact: Fact | None = None) -> tuple[Value, Value]:
        """Payload and whether the object is exactly of that kind, fits, and is in the range of ``fact``."""
        payload, ok = self.b.call(UNBOXES[target], [native], F64 if target is Repr.F64 else I64, I64)
        if target in (Repr.BOOL, Repr.BIT):
            payload = self.b.nonzero(payload)
        good, inside = self.b.nonzero(ok), in_range(self.b, payload, target, fact)
        return payload, good if inside is None else self.b.binary("and", good, inside)

    def store(self, value: Value, native: Value) -> None:
        if value in self.slots:
            self.b.set(self.slots[value], native)
        else:
            self.homes[value] = native

    # References

    def release_temps(self) -> None:
        for temp in self._temps:
            self.b.decref(temp)
        self._temps = []

    def _release(self, mask: int) -> None:
        for value in self.live.members(mask):
            if self.owned(value):
                self.b.decref(self.read(value), self.nullable(value))

    # Offsets, frames

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
        self._lingers = True
        self.b.call("ppy_frame_enter", [self.ctx, self.act, self.b.symbol(self.fn.record), self.b.i64(self.lasti)])

    # Errors

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
        """The block that traces, releases what dies on the way and goes to the handler: shared by operations that leave the same behind."""
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

    def leave(self) -> None:
        """Stands before every way out of the function: the activation ends here, if the body turns out to have one."""
        self._leaves.append((self.b.block, len(self.b.block.ops)))

    def finish(self) -> None:
        """After the last operation: fill in what only the whole body tells."""
        if self._act is None:
            return
        if self._lingers:
            self._zero(self.b.entry, self.b.allocated)
        else:
            assert self._fail is not None
            self._leaves = [(block, index) for block, index in self._leaves if block is self._fail]
            for block, index in self._traces:
                self._zero(block, index)
        for block, index in reversed(self._leaves):
            block.insert(index, func.Call((self.ctx, self._act), callee="ppy_act_clear", types=()))

    def _zero(self, block: Block, index: int) -> None:
        """An activation begins: at the function's start where it may be entered or caught, else just before its only use."""
        assert self._act is not None
        null = arith.Const(literal=None, types=[PTR])
        block.insert(index, null)
        block.insert(index + 1, mem.Store(self._act, null.value, offset=0))
        block.insert(index + 2, mem.Store(self._act, null.value, offset=8))

    # Edges

    def goto(self, edge: Successor) -> Block:
        """A block that moves the edge's values and goes to its target; the current operation is the terminator."""
        target = edge.block
        dying = self.live.before(self.op) & ~self.live.beyond(target) & ~self._consumed
        if not target.args and not any(self.owned(v) for v in self.live.members(dying)):
            return self.blocks[target]
        here, block = self.b.block, self.b.new_block("edge")
        self.b.at(block)
        self._pass(target.args, list(edge.operands), dying)
        self.b.br(self.blocks[target])
        self.b.at(here)
        return block

    def _pass(self, args: Sequence[BlockArgument], values: list[Value], dying: int) -> None:
        """Parallel copy into the target's arguments: first everything that may leave, then references, then the stores."""
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
                self.b.call("ppy_xincref" if self.nullable(source) else "ppy_incref", [native])
        flags = [(self.flags[a], self._flag(v)) for a, v in wanted if a in self.flags]
        self._release(dying & ~moved)
        for arg, native, _ in moves:
            self.b.set(self.slots[arg], native)
        for slot, flag in flags:
            self.b.set(slot, flag)

    def _flag(self, value: Value) -> Value:
        return self.b.i1(False) if is_unbound(value) else self.present(value)

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

    def _box_nullable(self, value: Value, native: Value, kind: Repr) -> Value:
        if value not in self.flags:
            return self.box(native, kind)
        boxed, done, out = self.b.new_block(), self.b.new_block(), self.b.slot(OBJECT)
        self.b.set(out, self.b.null())
        self.b.cond_br(self.present(value), boxed, done)
        self.b.at(boxed)
        self.b.set(out, self.box(native, kind))
        self.b.br(done)
        self.b.at(done)
        return self.b.get(out)

    # Guards

    def deopt_unless(self, ok: Value, after: bool = False) -> None:
        """A guard: unless ``ok``, the twin goes on before (or right after) the current operation."""
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

    def deopt_with_result(self, result: Value, native: Value) -> None:
        """Leave for the twin after the current operation, whose result is the object ``native``; ends the block."""
        self.release_dying()
        kept, self._pending = self._pending, [*self._pending, (result, native, Repr.OBJ, True)]
        temps, self._temps = self._temps, []
        self.deopt(after=True)
        self._pending, self._temps = kept, temps

    def _func_args(self) -> Iterable[Value]:
        return () if self.func is None else (self.func,)

    # Calls of the runtime

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


def rematerialized(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, REMATERIALIZED)


def word(literal: Any, kind: Repr) -> Any:
    """The literal as the constant of ``kind``'s native type."""
    return signed(literal) if kind.is_word else literal


def is_unbound(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, names.Unbound)


GAVE_UP = 3
"""Status of a loops body that left its live values in the buffer."""
UNIT_DICT = 80
"""``ppy_unit.dict``."""
SINGLETONS = {id(None): "_Py_NoneStruct", id(True): "_Py_TrueStruct", id(False): "_Py_FalseStruct", id(...): "_Py_EllipsisObject"}
BOXES = {
    Repr.I64: "ppy_box_i64", Repr.U64: "ppy_box_u64", Repr.F64: "ppy_box_f64", Repr.BOOL: "ppy_box_bool", Repr.BIT: "ppy_box_bool",
}
UNBOXES = {
    Repr.I64: "ppy_unbox_i64", Repr.U64: "ppy_unbox_u64", Repr.F64: "ppy_unbox_f64", Repr.BOOL: "ppy_unbox_bool", Repr.BIT: "ppy_unbox_bool",
}
ZERO: dict[Repr, object] = {Repr.OBJ: None, Repr.I64: 0, Repr.U64: 0, Repr.F64: 0.0, Repr.BOOL: False, Repr.BIT: False}
