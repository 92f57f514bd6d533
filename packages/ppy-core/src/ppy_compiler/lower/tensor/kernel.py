"""A kernel as a native function: loops over memory around the code of one element.

Takes a ``tensor.kernel``; gives ``kernel(data, strides, n, loops) -> declined`` (``ppy_tensor_kernel`` in
``ppy_tensor.h``). Where every array steps from element to element without a gap the loop is one that LLVM turns into
vector code; any other strides are served by a second loop. Operands that are numbers (``scalars``) are read once.

Operations that only the library computes (``tensor.library``) are done block by block: their arguments into a buffer
that stays in the cache, the library's loop over it, and on with its results.

The loops of a map are here, those of sums in ``sums``.
"""

from __future__ import annotations

from collections.abc import Callable

from ppy_compiler.dialects import tensor
from ppy_compiler.dialects.tensor import FLOATS, SIZES
from ppy_compiler.ir import BlockArgument, OpResult, Type, Value
from ppy_compiler.ir.types import I1, I8, I64, PTR
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.tensor.abi import CODES, INVALID
from ppy_compiler.lower.tensor.casts import cast
from ppy_compiler.lower.tensor.elements import CHOICES, INVALID_KINDS, Elements

BLOCK = 1024
"""Elements that are in buffers at a time."""
LOOP_SIZE = 16
"""Bytes of a ``ppy_tensor_loop``."""


def lower_kernel(kernel: tensor.Kernel, scalars: frozenset[int] = frozenset()) -> NativeBuilder:
    """``scalars``: which operands are numbers, the same for all elements."""
    return Map(kernel, scalars).lower()


def library_calls(kernel: tensor.Kernel) -> list[tensor.Library]:
    """What the library computes, in the order of its loops."""
    return [op for op in kernel.body.entry.ops if isinstance(op, tensor.Library)]


def loop_names(kernel: tensor.Kernel) -> tuple[tuple[str, str], ...]:
    """The library's loops as the descriptor names them."""
    calls = library_calls(kernel)
    return tuple((op.function, "".join(CODES[v.type.name] for v in (*op.args, op.value))) for op in calls)


def quiet_flags(kernel: tensor.Kernel) -> int:
    """The floating-point flags that mean nothing after this kernel."""
    applied = [op for op in kernel.body.entry.ops if isinstance(op, tensor.Apply)]
    invalid = any(op.kind in INVALID_KINDS and op.value.type.name in FLOATS for op in applied)
    return 0 if invalid or library_calls(kernel) else INVALID


class Loops:
    """What all loops share: where the operands are, and the code of one element."""

    block_size = BLOCK

    def __init__(self, kernel: tensor.Kernel, scalars: frozenset[int]) -> None:
        self.block = kernel.body.entry
        self.scalars = scalars
        self.b = NativeBuilder(kernel.sym, kernel.source, "kernel", (PTR, PTR, I64, PTR), (I64,))
        data, strides, self.length, self.loops = self.b.params
        self.yielded = self.block.ops[-1].operands[0]
        self.types: list[Type] = [self.yielded.type, *(arg.type for arg in self.block.args)]
        self.data = [self.b.load(data, 8 * place, PTR) for place in range(len(self.types))]
        self.strides = [self.b.load(strides, 8 * place, I64) for place in range(len(self.types))]
        self.numbers: dict[Value, Value] = {
            self.block.args[i]: self._read(self.data[i + 1], self.types[i + 1]) for i in scalars
        }
        self.declined = self.b.slot(I64, "declined")
        self.b.set(self.declined, self.b.i64(0))
        self.hidden_zero = self.b.load(self.b.symbol("ppy_opaque_zero"), 0, I64)
        applied = [op for op in self.block.ops if isinstance(op, tensor.Apply)]
        self.chooses = any(op.kind in CHOICES or op.value.type == I1 for op in applied)
        self.calls = library_calls(kernel)
        self.buffers = {op.value: self._buffer(op.value.type) for op in self.calls}

    def lower(self) -> NativeBuilder:
        b = self.b
        dense, sparse = b.new_block("dense"), b.new_block("sparse")
        b.cond_br(self._dense(), dense, sparse, likely=True)
        b.at(dense)
        self.loop([b.i64(SIZES[type.name]) for type in self.types])
        b.at(sparse)
        self.loop(self.strides)
        return b

    def loop(self, strides: list[Value]) -> None:
        """All elements, and the way out."""
        raise NotImplementedError

    def leave(self) -> None:
        self.b.ret(self.b.get(self.declined))

    def _dense(self) -> Value:
        """Whether no array has gaps."""
        found = self.b.i1(True)
        for place, type in enumerate(self.types):
            if place - 1 not in self.scalars:
                same = self.b.cmp("eq", self.strides[place], self.b.i64(SIZES[type.name]))
                found = self.b.binary("and", found, same)
        return found

    # Blocks

    def _buffer(self, type: Type) -> Value:
        return self.b.array(self.block_size * SIZES[type.name])

    def library(self, start: Value, count: Value, strides: list[Value]) -> None:
        """Fill the buffers with what the library computes of the elements ``start`` to ``start + count``."""
        b = self.b
        for number, op in enumerate(self.calls):
            places = [self._argument(arg, start, count, strides) for arg in op.args]
            places.append((self.buffers[op.value], b.i64(SIZES[op.value.type.name])))
            addresses, steps, extent = b.array(8 * len(places)), b.array(8 * len(places)), b.array(8)
            for place, (address, step) in enumerate(places):
                b.store(addresses, 8 * place, address)
                b.store(steps, 8 * place, step)
            b.store(extent, 0, count)
            b.call("ppy_tensor_library", [b.offset(self.loops, LOOP_SIZE * number), addresses, extent, steps])

    def _argument(self, arg: Value, start: Value, count: Value, strides: list[Value]) -> tuple[Value, Value]:
        """Where the library finds an argument, and its step: an operand as it lies, else a buffer."""
        b, size = self.b, SIZES[arg.type.name]
        if isinstance(arg, BlockArgument) and arg not in self.numbers:
            place = self.block.args.index(arg) + 1
            return self.address(place, start, strides), strides[place]
        if arg in self.buffers:
            return self.buffers[arg], b.i64(size)
        buffer = self._buffer(arg.type)

        def one(index: Value) -> None:
            value = self.element(b.binary("add", start, index, exact=True), strides, index, arg)
            self.write(self._scaled(buffer, index, arg.type), value)

        self.counted(b.i64(0), count, 1, one)
        return buffer, b.i64(size)

    # Elements

    def address(self, place: int, index: Value, strides: list[Value]) -> Value:
        return self.b.index(self.data[place], self.b.binary("mul", index, strides[place], exact=True))

    def _scaled(self, buffer: Value, index: Value, type: Type) -> Value:
        return self.b.index(buffer, self.b.binary("mul", index, self.b.i64(SIZES[type.name]), exact=True))

    def element(self, index: Value, strides: list[Value], within: Value, wanted: Value | None = None) -> Value:
        """What the kernel yields (or ``wanted``) at ``index``, which is ``within`` its block."""
        b, elements = self.b, Elements(self.b, self.hidden_zero, self.chooses)
        values = dict(self.numbers)

        def value_of(value: Value) -> Value:
            if value not in values:
                values[value] = computed(value)
            return values[value]

        def computed(value: Value) -> Value:
            if isinstance(value, BlockArgument):
                place = self.block.args.index(value) + 1
                return self._read(self.address(place, index, strides), value.type)
            assert isinstance(value, OpResult)
            if value in self.buffers:
                return self._read(self._scaled(self.buffers[value], within, value.type), value.type)
            match value.op:
                case tensor.Const() as op:
                    return elements.literal(op.literal, value.type)
                case tensor.Cast() as op:
                    return cast(elements, value_of(op.argument), value.type)
                case tensor.Apply() as op:
                    return elements.apply(op.kind, [value_of(arg) for arg in op.args], value.type)
            raise AssertionError(value.op.name)

        found = value_of(self.yielded if wanted is None else wanted)
        for condition in elements.declined:
            flag = b.cast("zext", condition, I64)
            b.set(self.declined, b.binary("or", b.get(self.declined), flag))
        return found

    def counted(self, first: Value, last: Value, step: int, body: Callable[[Value], None]) -> None:
        """``for index in range(first, last, step): body(index)``; the builder goes on behind."""
        b = self.b
        index = b.slot(I64, "index")
        b.set(index, first)
        head, inside, done = b.new_block("next"), b.new_block("element"), b.new_block("done")
        b.br(head)
        b.at(head)
        b.cond_br(b.cmp("slt", b.get(index), last), inside, done)
        b.at(inside)
        body(b.get(index))
        b.set(index, b.binary("add", b.get(index), b.i64(step), exact=True))
        b.br(head)
        b.at(done)

    def _read(self, address: Value, type: Type) -> Value:
        if type != I1:
            return self.b.load(address, 0, type)
        return self.b.nonzero(self.b.load(address, 0, I8))

    def write(self, address: Value, value: Value) -> None:
        self.b.store(address, 0, self.b.cast("zext", value, I8) if value.type == I1 else value)


class Map(Loops):
    """One element of the result for each of the operands."""

    def loop(self, strides: list[Value]) -> None:
        b = self.b
        if self.calls:
            self.counted(b.i64(0), self.length, self.block_size, lambda start: self._block(start, strides))
        else:
            self.counted(b.i64(0), self.length, 1, lambda index: self._one(index, index, strides))
        self.leave()

    def _block(self, start: Value, strides: list[Value]) -> None:
        b, size = self.b, self.b.i64(self.block_size)
        rest = b.binary("sub", self.length, start, exact=True)
        count = b.select(b.cmp("slt", rest, size), rest, size)
        self.library(start, count, strides)
        self.counted(
            b.i64(0), count, 1, lambda within: self._one(b.binary("add", start, within, exact=True), within, strides)
        )

    def _one(self, index: Value, within: Value, strides: list[Value]) -> None:
        value = self.element(index, strides, within)
        self.write(self.address(0, index, strides), value)
