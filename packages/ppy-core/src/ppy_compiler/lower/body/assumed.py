"""What a body found out about NumPy's world and relies on until code of others may have run.

Each fact is a bit in a slot: the headers of arrays that were read (what an array is and where its elements lie), and
that ``numpy.errstate`` ignores underflow. An operation that may run other code, or lets other threads in, clears the
bits. In a loop without any the bit is a constant after the first turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py import containers, loops
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.ir import Operation, OpResult, Value
from ppy_compiler.ir.types import I1, I64, PTR
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.plugins.specs import ElementSpec, ScalarSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

DOUBTFUL = fx.FOREIGN | fx.ENDLESS | fx.ALLOCATES
Guard = Callable[[Value], None]


@dataclass(frozen=True, slots=True)
class Header:
    """What an access needs of an array: where its elements lie."""

    data: Value
    extents: tuple[Value, ...]
    strides: tuple[Value, ...]

    @property
    def words(self) -> tuple[Value, ...]:
        return (self.data, *self.extents, *self.strides)


class Assumed:
    """The facts that one body may rely on."""

    def __init__(self, b: NativeBuilder, plugged: Mapping[Operation, PluggedOperation]) -> None:
        self.b = b
        self._bits: dict[object, Value] = {}
        self._headers: dict[tuple[Value, int, str], Header] = {}
        for op, known in plugged.items():
            spec = known.model.lowering
            if known.lowered and isinstance(spec, ElementSpec):
                self._bit((op.operands[0], spec))
            if known.lowered and isinstance(spec, ElementSpec | ScalarSpec) and spec.element in ("f32", "f64"):
                self._bit("errstate")

    def _bit(self, fact: object) -> Value:
        if fact not in self._bits:
            self._bits[fact] = self.b.slot(I1, "known")
            self.b.initialise(self._bits[fact], False, I1)
        return self._bits[fact]

    def _once(self, fact: object, find_out: Callable[[], None]) -> None:
        """Find out what the bit says is not known."""
        b, bit = self.b, self._bit(fact)
        ask, go = b.new_block("ask"), b.new_block("known")
        b.cond_br(b.get(bit), go, ask, likely=True)
        b.at(ask)
        find_out()
        b.set(bit, b.i1(True))
        b.br(go)
        b.at(go)

    def errstate(self, find_out: Callable[[], None]) -> None:
        self._once("errstate", find_out)

    def header(self, array: Value, spec: ElementSpec, read: Callable[[], Header]) -> Header:
        """The header of an array, read and checked by ``read`` unless it is known."""
        b, key = self.b, (array, spec.rank, spec.element)
        if key not in self._headers:
            words = [b.slot(I64) for _ in range(2 * spec.rank)]
            self._headers[key] = Header(b.slot(PTR), tuple(words[: spec.rank]), tuple(words[spec.rank :]))
        slots = self._headers[key]

        def find_out() -> None:
            for slot, value in zip(slots.words, read().words, strict=True):
                b.set(slot, value)

        self._once((array, spec), find_out)
        return Header(b.get(slots.data), tuple(map(b.get, slots.extents)), tuple(map(b.get, slots.strides)))

    def doubt(self, op: Operation, effects: int) -> None:
        """Nothing is known any more where ``op`` may run code of others, be it in a collection of garbage. A poll says
        so itself, for it seldom does, and so does a tuple that is made, for most are only indices."""
        if not isinstance(op, loops.Poll | containers.BuildTuple) and effects & DOUBTFUL:
            self.doubt_all()

    def doubt_all(self) -> None:
        for bit in self._bits.values():
            self.b.set(bit, self.b.i1(False))

    def redefined(self, value: Value) -> None:
        """An operation gives another array."""
        for bit in self._of(value):
            self.b.set(bit, self.b.i1(False))

    def _of(self, value: Value) -> Iterator[Value]:
        for fact, bit in self._bits.items():
            if isinstance(fact, tuple) and fact[0] is value:
                yield bit

    @staticmethod
    def lasts(array: Value, parameters: list[Value]) -> bool:
        """Whether it is seen when the value becomes another array: not of variables that meet at a block."""
        return isinstance(array, OpResult) or array in parameters
