"""Where the values of a body live, and whose references they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ppy_compiler.dialects import func as native_func
from ppy_compiler.dialects.py import exceptions, names
from ppy_compiler.infer.facts import Fact, Literal
from ppy_compiler.ir import Block, Operation, OpResult, Type, Value
from ppy_compiler.ir.types import I1, OBJECT
from ppy_compiler.lower.body.assumed import Assumed
from ppy_compiler.lower.body.boxes import (
    GAVE_UP,
    SINGLETONS,
    UNIT_DICT,
    box,
    is_unbound,
    rematerialized,
    unbox,
)
from ppy_compiler.lower.fits import in_range, word
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import PYTHON, Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering
    from ppy_compiler.lower.loopversions import Version


class Values:
    """Reading, boxing and releasing. ``role``: ``fast``, ``loops``, ``twin`` or ``worker``."""

    speculates = False
    """Whether it may give up at any point, because nobody sees anything of it (``Worker``)."""
    accumulating: frozenset[Operation] = frozenset()
    """Additions and products of a chunk's own part of a result: their facts are those of the whole."""

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
        self.known: dict[Value, object] = {}
        self.absent: set[Value] = set()
        self.packed: dict[Value, tuple[Value, ...]] = {}
        """Tuples that are not made, for they are only indices: their integers, as ``Repr.NI64``."""
        self.viewed: frozenset[Value] = frozenset()
        """Numbers that the current operation takes for Python's, whatever their bit says."""
        self.touches_objects = False
        """Whether loads and stores in line rely on the GIL."""
        self.assumed = Assumed(native, {} if self.general else fn.facts.plugged)
        self.entries: set[tuple[Block, int]] = set()
        self._start()

    def _start(self) -> None:
        """What is there before the first operation."""
        self.op: Operation
        self._cleanups: dict[object, Block] = {}
        self._exits: dict[object, Block] = {}
        self._temps: list[Value] = []
        self._consumed = 0
        self._pending: list[tuple[Value, Value, Repr, bool]] = []
        self._act: Value | None = None
        self._lasti: Value | None = None
        self._fail: Block | None = None
        self._leaves: list[tuple[Block, int]] = []
        self._traces: list[tuple[Block, int]] = []
        self._polls: list[tuple[native_func.Call, native_func.Call]] = []
        self._gil_points: list[tuple[Block, int]] = []
        self._lingers = False
        self.is_copy = False
        """Whether it is expanded in place of calls."""
        self._resumes: dict[tuple[Block, int], Block] = {}
        self.predicates: list[Value] | None = None
        self.redo = False
        """Whether an error of the current operation means that the twin does it once more, and raises."""
        self.tight: dict[Value, tuple[int, int]] = {}
        self.skipped: set[Block] = set()
        self.tested: dict[Value, Value] = {}
        self.versions: dict[Operation, Version] = {}
        self.version: Version | None = None
        self._budget: Value | None = None
        self._patience: tuple[Value, Value] | None = None
        self._frame: Value | None = None
        self._places: dict[tuple[int, Type], Value] = {}
        self._exit_tails: dict[int, tuple[Value, Block]] = {}
        self.leaving_status = GAVE_UP
        """What a loops body answers where it leaves for the twin."""

    @property
    def frame(self) -> Value:
        """The frame that the body was given, or its own."""
        if self._frame is None:
            self._frame = self.fn.frame.make(self.b)
        return self._frame

    def given_frame(self, frame: Value) -> None:
        self._frame = frame

    def known_from(self, other: Values) -> None:
        """What ``other``, the whole of which this body is a part, found out about values that this part is given."""
        self.callees |= other.callees
        self.known |= other.known
        self.absent |= other.absent
        self.tight |= other.tight

    def make_slot(self, value: Value) -> Value:
        """Where a value lives across blocks: a general body keeps it at its place in the frame."""
        element = self.repr(value).native
        if self.general:
            return self.b.frame_slot(self.frame, self.fn.frame.place(value), element)
        return self.b.slot(element, value.hint)

    def resume_block(self, position: tuple[Block, int]) -> Block:
        """The native block at which the body goes on when entered at ``position``."""
        if position not in self._resumes:
            self._resumes[position] = self.b.new_block("resumed")
        return self._resumes[position]

    def repr(self, value: Value) -> Repr:
        if value.type == I1:
            return Repr.BIT
        kind = Repr.OBJ if self.general else self.fn.plan.reprs[value]
        return PYTHON[kind] if value in self.viewed else kind

    def nullable(self, value: Value) -> bool:
        return value in self.fn.plan.nullable

    def fact(self, value: Value) -> Fact | None:
        """What is known of ``value`` here; nothing in a general body, nor where inference saw nothing arrive."""
        if self.general or value.type == I1 or value not in self.fn.facts.values:
            return None
        assert self.op.parent is not None
        return self.fn.facts.at(value, self.op.parent)

    def global_literal(self, value: Value) -> Literal | None:
        """The constant that a global is known to hold, under a guard."""
        fact = None if self.general else self.fn.facts.values.get(value)
        return fact.literal if fact is not None else None

    def owned(self, value: Value) -> bool:
        """Whether this body holds a reference for ``value``."""
        return (
            self.repr(value) is Repr.OBJ
            and value not in self.borrowed
            and value not in self.callees
            and value not in self.known
            and value not in self.absent
            and value not in self.packed
            and not rematerialized(value)
        )

    def dies(self, value: Value) -> bool:
        """Whether the current operation is the last use."""
        return not self.live.after(self.op) & self.live.bit(value)

    def alive_after(self, value: Value) -> bool:
        return bool(self.live.after(self.op) & self.live.bit(value))

    @property
    def unit(self) -> Value:
        return self.b.symbol("unit")

    def module_dict(self) -> Value:
        return self.b.load(self.unit, UNIT_DICT, OBJECT)

    def read(self, value: Value) -> Value:
        """The value in its own representation, borrowed."""
        if value in self.viewed:
            return self.b.parts(self._read(value))[0]
        return self._read(value)

    def _read(self, value: Value) -> Value:
        if rematerialized(value):
            return self._materialize(value)
        if value in self.fn.pinned and not self.general:
            kind = self.repr(value)
            return self.b.const(word(self.fn.pinned[value], kind), kind.native)
        if value in self.absent:
            return self.b.null()
        if value in self.known:
            return self.constant(self.known[value])
        if value in self.callees:
            assert isinstance(value, OpResult)
            assert isinstance(value.op, names.LoadGlobal)
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

    def unit_slot(self, literal: object) -> Value:
        """The address of the unit's slot for something of a library."""
        return self.b.symbol(self.fn.unit.constant(literal))

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
        return box(self.b, native, kind)

    def unbox(self, native: Value, target: Repr, fact: Fact | None = None) -> tuple[Value, Value]:
        """Payload and whether the object is exactly of that kind, fits, and is in the range of ``fact``."""
        payload, good = unbox(self.b, native, target)
        inside = in_range(self.b, payload, target, fact)
        return payload, good if inside is None else self.b.binary("and", good, inside)

    def take(self, value: Value) -> Value:
        """The value as an object with a reference of its own for the caller to give away."""
        kind = self.repr(value)
        if kind.scalar:
            return self.box(self.read(value), kind)
        native = self.read(value)
        if self.gives_away(value):
            self._consumed |= self.live.bit(value)
            return native
        self.b.incref(native, self.nullable(value))
        return native

    def gives_away(self, value: Value) -> bool:
        """Whether the current operation is the last to use this body's reference, and uses it once."""
        if not self.owned(value) or not self.dies(value) or self._consumed & self.live.bit(value):
            return False
        return self._uses(value) == 1

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

    def flag_of(self, value: Value) -> Value:
        return self.b.i1(False) if is_unbound(value) else self.present(value)

    def begin(self, op: Operation) -> None:
        self.op = op
        self._consumed = 0
        self._temps = []
        self._pending = []

    def release_temps(self) -> None:
        for temp in self._temps:
            self.b.decref(temp)
        self._temps = []

    def release_dying(self) -> None:
        """Operands whose last use the current operation is."""
        self._release(self.live.before(self.op) & ~self.live.after(self.op) & ~self._consumed)

    def _release(self, mask: int) -> None:
        for value in self.live.members(mask):
            if self.owned(value):
                self.b.decref(self.read(value), self.nullable(value))

    def store(self, value: Value, native: Value) -> None:
        if value in self.slots:
            self.b.set(self.slots[value], native)
        else:
            self.homes[value] = native

    def _func_args(self) -> Iterable[Value]:
        return () if self.func is None else (self.func,)

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
