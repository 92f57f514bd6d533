"""An element that one turn of a loop stores and the next one loads stays in a register: ``a[i] = a[i - 1] * f + b[i]``.

So it is where the loop's body is one block that loads at the place where the turn before has stored, and in which
nothing else is stored. Otherwise each turn would wait for the memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py import loops
from ppy_compiler.ir import Operation, Value
from ppy_compiler.ir.types import F64, I64
from ppy_compiler.lower.accesses import Access, Sum
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.body.assumed import Header
from ppy_compiler.lower.loopnest import Loop
from ppy_compiler.lower.ops.elements import address
from ppy_compiler.lower.ops.loops import constant_step

TYPES = {"f64": F64, "i64": I64}


class Carried:
    """The loads that need none, and the store that feeds them; all share one slot."""

    def __init__(self, body: Body, loop: Loop, counter: loops.RangeNext | None, accesses: Sequence[Access]) -> None:
        self.body = body
        self.counter = counter
        self.store: Access | None = None
        self.loads: list[Access] = []
        stores = [access for access in accesses if access.spec.stores]
        if (
            counter is not None
            and len(stores) == 1
            and stores[0].spec.element in TYPES
            and _one_block(loop, stores[0].op)
        ):
            self.store = stores[0]
            self.loads = [
                access for access in accesses if self._follows(access, stores[0], constant_step(counter) or 0)
            ]
        if self.store is not None and self.loads:
            self.slot = body.b.slot(TYPES[self.store.spec.element], "carried")

    def _follows(self, load: Access, store: Access, step: int) -> bool:
        """Whether the load is of what the turn before has stored."""
        block = store.op.parent
        assert block is not None
        if load.spec.stores or load.array is not store.array or load.spec.element != store.spec.element:
            return False
        if load.op.parent is not block or block.ops.index(load.op) > block.ops.index(store.op):
            return False
        pairs = zip(load.indices, store.indices, strict=True)
        return all(a is not None and b is not None and self._is_before(a, b, step) for a, b in pairs)

    def _is_before(self, index: Sum, stored: Sum, step: int) -> bool:
        """Whether the index is that of the store one turn earlier; those that count from the end are left alone."""
        return index == self._before(stored, step) and (bool(index.terms) or index.constant >= 0)

    def _before(self, index: Sum, step: int) -> Sum:
        assert self.counter is not None
        return Sum(index.terms, index.constant - step * index.terms.get(self.counter.item, 0))

    def begin(self, header: Header) -> None:
        """Load what the first turn needs; there is a turn."""
        body, b = self.body, self.body.b
        assert self.store is not None
        first = self.loads[0]
        indices = [self._at_first(index) for index in first.indices if index is not None]
        b.set(self.slot, b.load(address(body, header, indices), 0, TYPES[first.spec.element], space="element"))

    def _at_first(self, index: Sum) -> Value:
        body, b, found = self.body, self.body.b, self.body.b.i64(index.constant)
        assert self.counter is not None
        for value, times in index.terms.items():
            word = body.read(self.counter.current if value is self.counter.item else value)
            word = b.parts(word)[0] if word.type != I64 else word
            found = b.binary("add", found, b.binary("mul", word, b.i64(times)))
        return found

    def loads_from(self, op: Operation) -> bool:
        return any(load.op is op for load in self.loads)

    def stores_from(self, op: Operation) -> bool:
        return bool(self.loads) and self.store is not None and self.store.op is op


def _one_block(loop: Loop, op: Operation) -> bool:
    """Whether the loop is its head and a block of which ``op`` is part."""
    blocks = loop.blocks
    if len(blocks) != 2 or op.parent is not blocks[1]:
        return False
    end = blocks[1].terminator
    return isinstance(end, cf.Br) and end.target.block is loop.header
