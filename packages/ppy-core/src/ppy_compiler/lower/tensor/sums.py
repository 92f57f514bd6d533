"""Sums of a kernel's elements, in the order in which NumPy adds them.

Floats are summed pairwise: up to eight elements one after the other, up to ``BLOCK`` in eight accumulators, more than
that in two halves (the library's part, ``ppy_tensor_sum``). The order is that of ``pairwise_sum`` in NumPy's
``loops_utils.h.src``, so that every rounding is the same; integers wrap around in any order.

The function is ``sum(data, strides, n, loops) -> declined`` with ``n`` at most ``BLOCK``, and leaves the sum at
``data[0]``.
"""

from __future__ import annotations

from ppy_compiler.dialects import tensor
from ppy_compiler.dialects.tensor import FLOATS
from ppy_compiler.ir import Value
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.tensor.kernel import Loops

LANES = 8
BLOCK = 128
"""Elements that are summed without a recursion."""


def lower_sum(kernel: tensor.Kernel, scalars: frozenset[int] = frozenset()) -> NativeBuilder:
    """``scalars``: which operands are numbers, the same for all elements."""
    yielded = kernel.body.entry.ops[-1].operands[0].type
    return (Pairwise if yielded.name in FLOATS else Wrapping)(kernel, scalars).lower()


class Wrapping(Loops):
    """Integers."""

    block_size = BLOCK

    def loop(self, strides: list[Value]) -> None:
        b, type = self.b, self.types[0]
        self.library(b.i64(0), self.length, strides)
        total = b.slot(type, "total")
        b.set(total, b.const(0, type))
        self.counted(b.i64(0), self.length, 1, lambda i: self._add(total, self.element(i, strides, i)))
        self.write(self.data[0], b.get(total))
        self.leave()

    def _add(self, total: Value, element: Value) -> None:
        self.b.set(total, self.b.binary("add", self.b.get(total), element))


class Pairwise(Loops):
    """Floats, one block of them."""

    block_size = BLOCK

    def loop(self, strides: list[Value]) -> None:
        b = self.b
        self.library(b.i64(0), self.length, strides)
        few, many = b.new_block("few"), b.new_block("many")
        b.cond_br(b.cmp("slt", self.length, b.i64(LANES)), few, many)
        b.at(few)
        self._one_by_one(b.const(-0.0, self.types[0]), b.i64(0), strides)
        b.at(many)
        self._in_lanes(strides)

    def _one_by_one(self, start: Value, first: Value, strides: list[Value]) -> None:
        """The rest of the elements, added to ``start``; ends the function."""
        b, total = self.b, self.b.slot(self.types[0], "total")
        b.set(total, start)

        def add(index: Value) -> None:
            element = self.element(index, strides, index)
            b.set(total, b.binary("fadd", b.get(total), element))

        self.counted(first, self.length, 1, add)
        self.write(self.data[0], b.get(total))
        self.leave()

    def _in_lanes(self, strides: list[Value]) -> None:
        b = self.b
        lanes = [b.slot(self.types[0], "lane") for _ in range(LANES)]
        for number, lane in enumerate(lanes):
            b.set(lane, self.element(b.i64(number), strides, b.i64(number)))
        whole = b.binary("and", self.length, b.i64(-LANES))

        def add(index: Value) -> None:
            places = [b.binary("add", index, b.i64(number), exact=True) for number in range(LANES)]
            elements = [self.element(place, strides, place) for place in places]
            for lane, element in zip(lanes, elements, strict=True):
                b.set(lane, b.binary("fadd", b.get(lane), element))

        self.counted(b.i64(LANES), whole, LANES, add)
        sums = [b.get(lane) for lane in lanes]
        while len(sums) > 1:
            sums = [b.binary("fadd", left, right) for left, right in zip(sums[::2], sums[1::2], strict=True)]
        self._one_by_one(sums[0], whole, strides)
