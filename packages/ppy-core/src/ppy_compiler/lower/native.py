"""Building native IR: one method per thing lowering wants to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from ppy_compiler.dialects import arith, cf, func, mem
from ppy_compiler.ir import Block, Op, Operation, Region, Successor, Type, Value
from ppy_compiler.ir.types import F64, I1, I32, I64, OBJECT, PTR, either_type


class NativeBuilder:
    """Appends operations to ``block`` of one native function; slots and arrays go to its entry block."""

    def __init__(
        self,
        sym: str,
        source: str,
        role: str,
        params: Iterable[Type],
        returns: tuple[Type, ...],
        *,
        convention: str = "c",
        cold: bool = False,
        plain: bool = False,
    ) -> None:
        self.entry = Block(params, hint="entry")
        self.region = Region([self.entry])
        self.func = func.Func(
            self.region,
            sym=sym,
            source=source,
            role=role,
            returns=returns,
            convention=convention,
            cold=cold,
            plain=plain,
        )
        self.block = self.entry
        self.allocated = 0
        self._constants: dict[tuple[Type, str], Value] = {}
        self._symbols: dict[tuple[Type, str], Value] = {}
        self._cold = False
        self.inlines = True
        """Whether what is called from here on is worth inlining."""
        self.fastmath = False
        """Whether operations on doubles may be reassociated and contracted."""

    @property
    def params(self) -> Sequence[Value]:
        return self.entry.args

    # Blocks

    def new_block(self, hint: str = "") -> Block:
        block = Block(hint=hint)
        self.region.append(block)
        return block

    def at(self, block: Block) -> None:
        self.block = block

    def op(self, op: Operation) -> Operation:
        self.block.append(op)
        return op

    def value(self, op: Operation) -> Value:
        self.block.append(op)
        return op.results[0]

    # Control

    def br(self, block: Block) -> None:
        self.op(cf.Br(Successor(block)))

    def cond_br(self, condition: Value, then: Block, otherwise: Block, likely: bool | None = None) -> None:
        self.op(cf.CondBr(condition, Successor(then), Successor(otherwise), likely=likely))

    def ret(self, *values: Value) -> None:
        self.op(func.Return(values))

    def unreachable(self) -> None:
        self.op(cf.Unreachable())

    @contextmanager
    def cold_block(self, block: Block) -> Iterator[None]:
        """Emit a block that is rarely reached, then go on where the builder was: calls there are never inlined."""
        here, before = self.block, self._cold
        self.block, self._cold = block, True
        try:
            yield
        finally:
            self.block, self._cold = here, before

    # Constants

    def const(self, literal: object, type: Type) -> Value:
        """A constant; one operation serves the whole function."""
        key = (type, repr(literal))
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.allocate(arith.Const(literal=literal, types=[type]))
        return found

    def i64(self, literal: int) -> Value:
        return self.const(literal, I64)

    def i32(self, literal: int) -> Value:
        return self.const(literal, I32)

    def i1(self, literal: bool) -> Value:
        return self.const(literal, I1)

    def f64(self, literal: float) -> Value:
        return self.const(literal, F64)

    def null(self) -> Value:
        return self.const(None, OBJECT)

    # Arithmetic

    def binary(self, kind: str, lhs: Value, rhs: Value, exact: bool = False) -> Value:
        fastmath = self.fastmath and lhs.type == F64
        return self.value(arith.Binary(lhs, rhs, kind=kind, exact=exact, fastmath=fastmath, types=[lhs.type]))

    def overflow(self, kind: str, lhs: Value, rhs: Value) -> tuple[Value, Value]:
        op = self.op(arith.Overflow(lhs, rhs, kind=kind, types=[lhs.type, I1]))
        return op.results[0], op.results[1]

    def cmp(self, kind: str, lhs: Value, rhs: Value) -> Value:
        return self.value(arith.Cmp(lhs, rhs, kind=kind))

    def cast(self, kind: str, argument: Value, type: Type) -> Value:
        return self.value(arith.Cast(argument, kind=kind, types=[type]))

    def select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        return self.value(arith.Select(condition, then, otherwise, types=[then.type]))

    def either(self, number: Value, bit: Value) -> Value:
        return self.value(arith.Either(number, bit, types=[either_type(number.type)]))

    def parts(self, value: Value) -> tuple[Value, Value]:
        number = value.type.parameters[0]
        assert isinstance(number, Type)
        op = self.op(arith.Parts(value, types=[number, I1]))
        return op.results[0], op.results[1]

    def fneg(self, argument: Value) -> Value:
        return self.value(arith.Neg(argument, fastmath=self.fastmath, types=[argument.type]))

    def not_(self, flag: Value) -> Value:
        return self.binary("xor", flag, self.i1(True))

    def nonzero(self, word: Value) -> Value:
        return self.cmp("ne", word, self.const(0, word.type))

    def is_null(self, pointer: Value) -> Value:
        return self.cmp("eq", pointer, self.null())

    # Memory

    def allocate(self, op: Op) -> Value:
        self.entry.insert(self.allocated, op)
        self.allocated += 1
        return op.results[0]

    def slot(self, element: Type, hint: str = "") -> Value:
        slot = self.allocate(mem.Slot(types=[mem.slot_type(element)]))
        slot.hint = hint
        return slot

    def array(self, size: int, zero: bool = False) -> Value:
        return self.allocate(mem.Array(size=size, zero=zero))

    def initialise(self, slot: Value, literal: object, type: Type) -> None:
        """Give a slot its value at the function's start."""
        constant = self.const(literal, type)
        self.entry.insert(self.allocated, mem.Set(slot, constant))

    def get(self, slot: Value) -> Value:
        element = slot.type.parameters[0]
        assert isinstance(element, Type)
        return self.value(mem.Get(slot, types=[element]))

    def set(self, slot: Value, value: Value) -> None:
        self.op(mem.Set(slot, value))

    def load(self, address: Value, offset: int, type: Type, invariant: bool = False, space: str = "") -> Value:
        return self.value(mem.Load(address, offset=offset, invariant=invariant, space=space, types=[type]))

    def store(self, address: Value, offset: int, value: Value, space: str = "") -> None:
        self.op(mem.Store(address, value, offset=offset, space=space))

    def frame_slot(self, frame: Value, offset: int, element: Type) -> Value:
        """A slot that lies ``offset`` bytes into ``frame``."""
        return self.allocate(mem.Offset(frame, offset=offset, types=[mem.slot_type(element)]))

    def offset(self, address: Value, offset: int) -> Value:
        return self.value(mem.Offset(address, offset=offset, types=[PTR])) if offset else address

    def index(self, address: Value, distance: Value, size: int = 1) -> Value:
        """``address`` plus a number of pieces of ``size`` bytes computed at run time."""
        return self.value(mem.Index(address, distance, size=size))

    def symbol(self, name: str, type: Type = PTR) -> Value:
        key = (type, name)
        found = self._symbols.get(key)
        if found is None:
            found = self._symbols[key] = self.allocate(mem.Symbol(symbol=name, types=[type]))
        return found

    def value_symbol(self, name: str) -> Value:
        """The address of a static object of the interpreter."""
        return self.symbol(name, OBJECT)

    # Calls

    def call(
        self, callee: str, args: Iterable[Value], *types: Type, convention: str = "c", cold: bool = False
    ) -> Sequence[Value]:
        cold = cold or self._cold
        inline = self.inlines or convention == "fast"
        call = func.Call(tuple(args), callee=callee, convention=convention, cold=cold, inline=inline, types=types)
        return self.op(call).results

    def call1(self, callee: str, args: Iterable[Value], type: Type) -> Value:
        return self.call(callee, args, type)[0]

    def call_pointer(self, address: Value, args: Iterable[Value], *types: Type) -> Sequence[Value]:
        return self.op(func.CallPointer((address, *args), types=types)).results

    # References

    def incref(self, value: Value, nullable: bool = False) -> None:
        self.call("ppy_xincref" if nullable else "ppy_incref", [value])

    def decref(self, value: Value, nullable: bool = False) -> None:
        self.call("ppy_xdecref" if nullable else "ppy_decref", [value])
