"""Arrays of a loop in two versions: headers read before the loop, and indices that stay inside.

What an array is and where its elements lie is decided for as many turns as there are to the next poll, like the bounds
of integers (``lower.loopversions``): nothing in such a loop runs code that could change a header. An index that is a
sum of the loop's counter, of what the loop does not change, and of constants is smallest and largest at the ends of the
count: if both are inside the array, no turn has to look. Any other index is compared with the extent in each turn.
Arrays whose elements do not lie side by side along the last dimension are left to the version with guards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ppy_compiler.dialects.py import containers, loops, names, operators
from ppy_compiler.ir import Block, Operation, OpResult, Value
from ppy_compiler.ir.types import F64, I64, PTR
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.loopnest import Loop
from ppy_compiler.lower.ops.elements import Header, is_array, is_expected, load_header, packable
from ppy_compiler.lower.ops.loops import constant_step
from ppy_compiler.lower.ops.scalars import ignores_underflow
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.plugins.specs import ElementSpec

SIZES = {"i1": 1, **{f"{kind}{bits}": bits // 8 for kind in "iuf" for bits in (8, 16, 32, 64)}}
"""Bytes of an element."""
PRECISE = float(1 << 52)
"""Sums of a few integers up to here are the same in doubles."""


@dataclass(frozen=True, slots=True)
class Sum:
    """An index: each value so many times, and a constant."""

    terms: Mapping[Value, int]
    constant: int

    def plus(self, other: Sum, sign: int) -> Sum:
        merged = dict(self.terms)
        for value, times in other.terms.items():
            merged[value] = merged.get(value, 0) + sign * times
        return Sum(merged, self.constant + sign * other.constant)


@dataclass(frozen=True, slots=True)
class Access:
    """A load or store: the array, and each index where it is such a sum."""

    op: Operation
    array: Value
    spec: ElementSpec
    indices: tuple[Sum | None, ...]


class Hoisted:
    """The accesses of one loop. ``headers``: slots for what was read of an array before the loop; ``inside``: the
    dimensions of an access whose index was seen to stay inside, and whether it counts from the end."""

    def __init__(self, body: Body, loop: Loop, counter: loops.RangeNext | None) -> None:
        self.body = body
        self.blocks = frozenset(loop.blocks)
        self.counter = counter
        self.accesses: list[Access] = []
        self.headers: dict[tuple[Value, int], Header] = {}
        self.inside: dict[tuple[Operation, int], bool] = {}

    def __bool__(self) -> bool:
        return bool(self.accesses)

    def add(self, op: operators.GetItem | operators.SetItem, spec: ElementSpec) -> bool:
        """Note an access; whether it is one of an array that the loop does not change."""
        if _place(op.object) in self.blocks:
            return False
        packed = op.index.op if isinstance(op.index, OpResult) else None
        if isinstance(packed, containers.BuildTuple) and packable(self.body, packed):
            parts = list(packed.items)
        elif spec.rank == 1:
            parts = [op.index]
        else:
            return False
        sums = tuple(map(self._sum, parts))
        self.accesses.append(Access(op, op.object, spec, sums))
        key, b = (op.object, spec.rank), self.body.b
        if key not in self.headers:
            words = [b.slot(I64) for _ in range(2 * spec.rank)]
            self.headers[key] = Header(b.slot(PTR), tuple(words[: spec.rank]), tuple(words[spec.rank :]))
        for dimension, index in enumerate(sums):
            if index is not None:
                self.inside[op, dimension] = not index.terms and index.constant < 0
        return True

    def _sum(self, value: Value) -> Sum | None:
        op = value.op if isinstance(value, OpResult) else None
        if isinstance(op, names.Const) and type(op.literal) is int:
            return Sum({}, op.literal) if abs(op.literal) < PRECISE else None
        if self.body.fn.plan.reprs[value] not in (Repr.I64, Repr.NI64):
            return None
        if _place(value) not in self.blocks or (self.counter is not None and value is self.counter.item):
            return Sum({value: 1}, 0)
        if isinstance(op, names.Annotated):
            return self._sum(op.argument)
        if isinstance(op, operators.Binary) and op.kind in ("+", "-"):
            left, right = self._sum(op.lhs), self._sum(op.rhs)
            return None if left is None or right is None else left.plus(right, 1 if op.kind == "+" else -1)
        return None

    def header(self, access: Operation) -> Header | None:
        """Of the array of an access, as it was before the loop."""
        for known in self.accesses:
            if known.op is access:
                slots, get = self.headers[known.array, known.spec.rank], self.body.b.get
                outer = map(get, slots.strides[:-1])
                return Header(get(slots.data), tuple(map(get, slots.extents)), (*outer, self._size(known.spec)))
        return None

    def decide(self, require: Callable[[Value], None]) -> None:
        """Read the headers; the version without guards runs if all is as expected, and all sums stay inside."""
        body, b = self.body, self.body.b
        for (array, rank), slots in self.headers.items():
            native = body.read(array)
            require(is_array(body, native))
            for spec in dict.fromkeys(a.spec for a in self.accesses if a.array is array and a.spec.rank == rank):
                require(is_expected(body, native, spec))
            header = load_header(body, native, rank)
            require(b.cmp("eq", header.strides[-1], self._size(spec)))
            words = [(slots.data, header.data), *zip(slots.extents, header.extents, strict=True)]
            for slot, value in (*words, *zip(slots.strides, header.strides, strict=True)):
                b.set(slot, value)
        good = b.i1(True)
        for bound in self._bounds():
            good = b.binary("and", good, bound)
        require(good)
        if body.fn.warns:
            ignores_underflow(body, require)

    def _size(self, spec: ElementSpec) -> Value:
        """Of an element: along the last dimension the elements have to lie side by side."""
        return self.body.b.i64(SIZES[spec.element])

    def _bounds(self) -> Iterator[Value]:
        b, seen = self.body.b, set()
        for access in self.accesses:
            extents = self.headers[access.array, access.spec.rank].extents
            for extent, index in zip(extents, access.indices, strict=True):
                key = (extent, None if index is None else (tuple(index.terms.items()), index.constant))
                if index is None or key in seen:
                    continue
                seen.add(key)
                size = b.cast("sitofp", b.get(extent), F64)
                if not index.terms and index.constant < 0:
                    yield b.cmp("oge", size, b.f64(float(-index.constant)))
                    continue
                low, high, precise = self._ends(index)
                yield precise
                yield b.cmp("oge", low, b.f64(0.0))
                yield b.cmp("olt", high, size)

    def _ends(self, index: Sum) -> tuple[Value, Value, Value]:
        """The smallest and the largest that the index can be in the turns to come; whether they are exact."""
        b, precise = self.body.b, self.body.b.i1(True)
        low = high = b.f64(float(index.constant))
        for value, times in index.terms.items():
            least, most = self._range(value)
            for end in (least, most):
                size = b.call1("llvm.fabs.f64", [end], F64)
                precise = b.binary("and", precise, b.cmp("olt", size, b.f64(PRECISE / 256)))
            if abs(times) > 16:
                precise = b.i1(False)
            factor = b.f64(float(times))
            first, last = (least, most) if times > 0 else (most, least)
            low = b.binary("fadd", low, b.binary("fmul", factor, first))
            high = b.binary("fadd", high, b.binary("fmul", factor, last))
        return low, high, precise

    def _range(self, value: Value) -> tuple[Value, Value]:
        body, b = self.body, self.body.b
        if self.counter is None or value is not self.counter.item:
            native = body.read(value)
            if body.repr(value).either:
                native = b.parts(native)[0]
            known = b.cast("sitofp", native, F64)
            return known, known
        ends = [b.cast("sitofp", body.read(word), F64) for word in (self.counter.current, self.counter.stop)]
        up = (constant_step(self.counter) or 0) > 0
        last = b.binary("fsub" if up else "fadd", ends[1], b.f64(1.0))
        return (ends[0], last) if up else (last, ends[0])


def _place(value: Value) -> Block | None:
    return value.op.parent if isinstance(value, OpResult) else getattr(value, "block", None)
