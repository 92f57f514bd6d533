"""Arrays of a loop in two versions: headers read before the loop, and indices that stay inside.

What an array is and where its elements lie is decided for as many turns as there are to the next poll, like the bounds
of integers (``lower.loopversions``): nothing in such a loop runs code that could change a header. An index that is a
sum of the loop's counter, of what the loop does not change, and of constants is smallest and largest at the ends of the
count: if both are inside the array, no turn has to look. Any other index is compared with the extent in each turn.
Arrays whose elements do not lie side by side along the last dimension are left to the version with guards.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppy_compiler.dialects.py import containers, loops, names, operators
from ppy_compiler.dialects.tensor import SIZES
from ppy_compiler.infer.atoms import TUPLE
from ppy_compiler.ir import Operation, OpResult, Value
from ppy_compiler.ir.types import F64
from ppy_compiler.lower.accesses import MOST_TIMES, PRECISE, Access, Sum
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.body.assumed import Guard, Header
from ppy_compiler.lower.carrying import Carried
from ppy_compiler.lower.loopnest import Loop, home
from ppy_compiler.lower.ops.elements import FLOATS, packable, read_header
from ppy_compiler.lower.ops.loops import constant_step
from ppy_compiler.lower.ops.scalars import ignores_underflow
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.plugins.specs import ElementSpec


class Hoisted:
    """The accesses of one loop. ``headers``: what was read of an array before the loop; ``inside``: the
    dimensions of an access whose index was seen to stay inside, and whether it counts from the end."""

    def __init__(self, body: Body, loop: Loop, counter: loops.RangeNext | None) -> None:
        self.body = body
        self.blocks = frozenset(loop.blocks)
        self.counter = counter
        self.accesses: list[Access] = []
        self.headers: dict[tuple[Value, ElementSpec], Header] = {}
        self.carried: Carried | None = None
        self.inside: dict[tuple[Operation, int], bool] = {}

    def __bool__(self) -> bool:
        return bool(self.accesses)

    def add(self, op: operators.GetItem | operators.SetItem, spec: ElementSpec) -> bool:
        """Note an access; whether it is one of an array that the loop does not change."""
        if home(op.object) in self.blocks:
            return False
        packed = op.index.op if isinstance(op.index, OpResult) else None
        if isinstance(packed, containers.BuildTuple) and packable(self.body, packed):
            parts = list(packed.items)
        elif spec.rank == 1 and _is_integer(self.body, op.index):
            parts = [op.index]
        else:
            return False
        sums = tuple(map(self._sum, parts))
        self.accesses.append(Access(op, op.object, spec, sums))
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
        if home(value) not in self.blocks or (self.counter is not None and value is self.counter.item):
            return Sum({value: 1}, 0)
        if isinstance(op, names.Annotated):
            return self._sum(op.argument)
        if isinstance(op, operators.Binary) and op.kind in ("+", "-"):
            left, right = self._sum(op.lhs), self._sum(op.rhs)
            if left is None or right is None:
                return None
            found = left.plus(right, 1 if op.kind == "+" else -1)
            return found if found.small else None
        return None

    def settle(self, loop: Loop) -> None:
        """All accesses are known: see what can be carried from turn to turn."""
        self.carried = Carried(self.body, loop, self.counter, self.accesses)

    def header(self, access: Operation) -> Header | None:
        """Of the array of an access, as it was before the loop."""
        for known in self.accesses:
            if known.op is access:
                return self.headers[known.array, known.spec]
        return None

    def decide(self, require: Guard) -> None:
        """Read the headers; the version without guards runs if all is as expected, and all sums stay inside."""
        body, b = self.body, self.body.b
        read: dict[object, Header] = {}
        for access in self.accesses:
            key = (access.array, access.spec)
            if key not in self.headers:
                header = read_header(body, access.array, access.spec, require)
                require(b.cmp("eq", header.strides[-1], self._size(access.spec)))
                strides = (*header.strides[:-1], self._size(access.spec))
                same = (access.array, access.spec.rank, access.spec.element)
                self.headers[key] = read.setdefault(same, Header(header.data, header.extents, strides))
        good = b.i1(True)
        for bound in self._bounds():
            good = b.binary("and", good, bound)
        require(good)
        if self.carried is not None and self.carried.loads:
            assert self.counter is not None
            words = [body.read(word) for word in (self.counter.current, self.counter.stop)]
            require(b.cmp("slt" if (constant_step(self.counter) or 0) > 0 else "sgt", *words))
            load = self.carried.loads[0]
            self.carried.begin(self.headers[load.array, load.spec])
        if any(access.spec.element in FLOATS for access in self.accesses):
            ignores_underflow(body, require)

    def _size(self, spec: ElementSpec) -> Value:
        """Of an element: along the last dimension the elements have to lie side by side."""
        return self.body.b.i64(SIZES[spec.element])

    def _bounds(self) -> Iterator[Value]:
        seen: set[object] = set()
        for access in self.accesses:
            extents = self.headers[access.array, access.spec].extents
            for extent, index in zip(extents, access.indices, strict=True):
                key = (extent, None if index is None else (tuple(index.terms.items()), index.constant))
                if index is not None and key not in seen:
                    seen.add(key)
                    yield from self._stays_inside(index, extent)

    def _stays_inside(self, index: Sum, extent: Value) -> Iterator[Value]:
        b = self.body.b
        if list(index.terms.values()) not in ([], [1]):
            yield from self._sum_stays_inside(index, b.cast("sitofp", extent, F64))
            return
        if not index.terms and index.constant < 0:
            yield b.cmp("uge", extent, b.i64(-index.constant))
            return
        ends = dict.fromkeys(self._ends(*index.terms)) if index.terms else (b.i64(0),)
        for end in ends:  # a word that wraps around is not inside either
            yield b.cmp("ult", b.binary("add", end, b.i64(index.constant)), extent)

    def _sum_stays_inside(self, index: Sum, size: Value) -> Iterator[Value]:
        """A sum of several values, in doubles, which do not overflow, and are exact for what may index an array."""
        b = self.body.b
        low = high = b.f64(float(index.constant))
        for value, times in index.terms.items():
            ends = [b.cast("sitofp", end, F64) for end in self._ends(value)]
            for end in ends:
                yield b.cmp("olt", b.call1("llvm.fabs.f64", [end], F64), b.f64(PRECISE / MOST_TIMES))
            first, last = ends if times > 0 else ends[::-1]
            low = b.binary("fadd", low, b.binary("fmul", b.f64(float(times)), first))
            high = b.binary("fadd", high, b.binary("fmul", b.f64(float(times)), last))
        yield b.cmp("oge", low, b.f64(0.0))
        yield b.cmp("olt", high, size)

    def _ends(self, value: Value) -> tuple[Value, Value]:
        """The smallest and the largest that a term can be in the turns to come."""
        body, b = self.body, self.body.b
        if self.counter is None or value is not self.counter.item:
            native = body.read(value)
            known = b.parts(native)[0] if body.repr(value).either else native
            return known, known
        first, stop = body.read(self.counter.current), body.read(self.counter.stop)
        if (constant_step(self.counter) or 0) > 0:
            return first, b.binary("sub", stop, b.i64(1))
        return b.binary("add", stop, b.i64(1)), first


def _is_integer(body: Body, index: Value) -> bool:
    fact = body.fn.facts.values.get(index)
    return fact is None or not fact.only(TUPLE)
