"""A kernel as a native function: loops over memory around the code of one element.

Takes a ``tensor.kernel``; gives ``kernel(data, strides, n) -> declined`` (``ppy_tensor_kernel`` in
``ppy_tensor.h``). Where every array steps from element to element without a gap the loop is one that LLVM turns into
vector code; any other strides are served by a second loop. Operands that are numbers (``scalars``) are read once.

The loops of a map are here, those of sums in ``sums``.
"""

from __future__ import annotations

from collections.abc import Callable

from ppy_compiler.dialects import tensor
from ppy_compiler.dialects.func import Func
from ppy_compiler.ir import Type, Value
from ppy_compiler.ir.types import I1, I8, I64, PTR
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.tensor.abi import INVALID
from ppy_compiler.lower.tensor.casts import cast
from ppy_compiler.lower.tensor.elements import FLOATS, INVALID_KINDS, SIZES, Elements


def lower_kernel(kernel: tensor.Kernel, scalars: frozenset[int] = frozenset()) -> Func:
    """``scalars``: which operands are numbers, the same for all elements."""
    return Map(kernel, scalars).lower()


def quiet_flags(kernel: tensor.Kernel) -> int:
    """The floating-point flags that mean nothing after this kernel."""
    applied = [op for op in kernel.body.entry.ops if isinstance(op, tensor.Apply)]
    return 0 if any(op.kind in INVALID_KINDS and op.value.type.name in FLOATS for op in applied) else INVALID


class Loops:
    """What all loops share: where the operands are, and the code of one element."""

    def __init__(self, kernel: tensor.Kernel, scalars: frozenset[int]) -> None:
        self.block = kernel.body.entry
        self.scalars = scalars
        self.b = NativeBuilder(kernel.sym, kernel.source, "kernel", (PTR, PTR, I64), (I64,))
        data, strides, self.length = self.b.params
        yielded = self.block.ops[-1]
        self.types: list[Type] = [yielded.operands[0].type, *(arg.type for arg in self.block.args)]
        self.data = [self.b.load(data, 8 * place, PTR) for place in range(len(self.types))]
        self.strides = [self.b.load(strides, 8 * place, I64) for place in range(len(self.types))]
        self.numbers = {i: self._read(self.data[i + 1], self.types[i + 1]) for i in scalars}
        self.declined = self.b.slot(I64, "declined")
        self.b.set(self.declined, self.b.i64(0))

    def lower(self) -> Func:
        b = self.b
        dense, sparse = b.new_block("dense"), b.new_block("sparse")
        b.cond_br(self._dense(), dense, sparse, likely=True)
        b.at(dense)
        self.loop([b.i64(SIZES[type.name]) for type in self.types])
        b.at(sparse)
        self.loop(self.strides)
        return b.func

    def loop(self, strides: list[Value]) -> None:
        """All elements, and the way out."""
        raise NotImplementedError

    def _dense(self) -> Value:
        """Whether no array has gaps."""
        found = self.b.i1(True)
        for place, type in enumerate(self.types):
            if place - 1 not in self.scalars:
                same = self.b.cmp("eq", self.strides[place], self.b.i64(SIZES[type.name]))
                found = self.b.binary("and", found, same)
        return found

    def leave(self) -> None:
        self.b.ret(self.b.get(self.declined))

    def address(self, place: int, index: Value, strides: list[Value]) -> Value:
        return self.b.index(self.data[place], self.b.binary("mul", index, strides[place], exact=True))

    def element(self, index: Value, strides: list[Value]) -> Value:
        """What the kernel yields at ``index``."""
        b, elements = self.b, Elements(self.b)
        values: dict[Value, Value] = {}
        for number, arg in enumerate(self.block.args):
            known = self.numbers.get(number)
            there = known if known is not None else self._read(self.address(number + 1, index, strides), arg.type)
            values[arg] = there
        for op in self.block.ops:
            if isinstance(op, tensor.Apply):
                values[op.value] = elements.apply(op.kind, [values[a] for a in op.args], op.value.type)
            elif isinstance(op, tensor.Const):
                values[op.value] = b.const(op.literal, op.value.type)
            elif isinstance(op, tensor.Cast):
                values[op.value] = cast(elements, values[op.argument], op.value.type)
        for condition in elements.declined:
            flag = b.cast("zext", condition, I64)
            b.set(self.declined, b.binary("or", b.get(self.declined), flag))
        return values[self.block.ops[-1].operands[0]]

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
        def one(index: Value) -> None:
            value = self.element(index, strides)
            self.write(self.address(0, index, strides), value)

        self.counted(self.b.i64(0), self.length, 1, one)
        self.leave()
