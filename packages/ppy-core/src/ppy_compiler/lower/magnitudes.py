"""How large the integers of a loop can get before its next poll, from what they are at its head.

A loop polls after at most ``TURNS`` turns. So a variable that every turn changes by at most ``d`` ends no further than
``TURNS * d`` from where it stands now, and what is computed from such variables is bounded, too. The bounds are
expressions over the loop's invariants and the present values of its variables; they are evaluated in doubles, which
do not overflow, when the head is passed. A bound that stays below ``SAFE`` proves that the word does not overflow: the
factor of two to the word's end is far more than the rounding of the few additions and products of a bound.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.loops import RangeNext
from ppy_compiler.dialects.py.names import Annotated, Const
from ppy_compiler.dialects.py.operators import Binary, Unary
from ppy_compiler.ir import BlockArgument, Operation, OpResult, Value
from ppy_compiler.lower.loopnest import Loop, home
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.infer.results import FunctionFacts

TURNS = 1 << 14
"""Turns of loops between two polls."""
SAFE = float(1 << 62)
SUMS = frozenset({"+", "-", "&", "|", "^"})
"""Operations whose result is no larger than the magnitudes of both operands together."""
NO_LARGER = frozenset({"builtins.abs", "builtins.int", "builtins.max", "builtins.min"})
"""Built-in functions whose integer result is no larger than the largest of their integer arguments."""


@dataclass(frozen=True, slots=True)
class Number:
    """A constant bound."""

    number: float


@dataclass(frozen=True, slots=True)
class Present:
    """The magnitude of a word as it is at the loop's head."""

    value: Value


@dataclass(frozen=True, slots=True)
class Combined:
    """``kind``: ``sum``, ``product``, ``most`` of two bounds."""

    kind: str
    left: Bound
    right: Bound


Bound = Number | Present | Combined
NOTHING = Number(0.0)
FOLDS: dict[str, Callable[[float, float], float]] = {"sum": operator.add, "product": operator.mul, "most": max}


def combined(kind: str, left: Bound, right: Bound) -> Bound:
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(FOLDS[kind](left.number, right.number))
    if kind != "product" and NOTHING in (left, right):
        return right if left == NOTHING else left
    return left if kind == "most" and left == right else Combined(kind, left, right)


@dataclass(frozen=True, slots=True)
class Change:
    """What a turn makes of a variable: itself plus at most ``step``, or something of at most ``other`` that does not
    depend on it; ``None`` where no path does that."""

    step: Bound | None = None
    other: Bound | None = None

    def plus(self, more: Bound) -> Change:
        return Change(
            None if self.step is None else combined("sum", self.step, more),
            None if self.other is None else combined("sum", self.other, more),
        )

    def joined(self, other: Change) -> Change:
        return Change(_most(self.step, other.step), _most(self.other, other.other))


def _most(a: Bound | None, b: Bound | None) -> Bound | None:
    return b if a is None else a if b is None else combined("most", a, b)


class Magnitudes:
    """``of(value)``: the bound of a word of the loop, ``None`` where there is none; ``linear(argument)``: whether a
    variable of the loop only ever grows by steps or is set anew."""

    def __init__(self, loop: Loop, facts: FunctionFacts, reprs: Mapping[Value, Repr]) -> None:
        self.facts = facts
        self.reprs = reprs
        self.header = loop.header
        self.blocks = frozenset(loop.blocks)
        self._known: dict[Value, Bound | None] = {}
        self._incoming: dict[Value, list[Value]] = {}
        edges = ((edge, edge is op.unwind) for block in loop.blocks for op in block.ops for edge in op.edges())
        for edge, unwinds in edges:
            for arg, value in zip(edge.block.args[unwinds:], edge.operands, strict=True):
                self._incoming.setdefault(arg, []).append(value)

    def of(self, value: Value) -> Bound | None:
        if value not in self._known:
            self._known[value] = None  # while it is being looked for: what depends on itself has no bound
            found = self._computed(value)
            self._known[value] = found if found is not None else self._by_fact(value)
        return self._known[value]

    def linear(self, argument: BlockArgument) -> bool:
        return self._growth(argument) is not None

    def _by_fact(self, value: Value) -> Bound | None:
        fact = self.facts.values.get(value)
        if fact is None or fact.lo is None or fact.hi is None or not self.reprs[value].scalar:
            return None
        most = float(max(abs(fact.lo), abs(fact.hi)))
        return Number(most) if most < SAFE else None

    def _computed(self, value: Value) -> Bound | None:
        kind = self.reprs[value]
        if isinstance(value, OpResult) and isinstance(value.op, Const):
            literal = value.op.literal
            return Number(float(abs(literal))) if isinstance(literal, int) and abs(literal) < SAFE else None
        if kind in (Repr.BOOL, Repr.BIT):
            return Number(1.0)
        if kind is not Repr.I64:
            return None
        if home(value) not in self.blocks:
            fact = self.facts.values[value]
            return self._by_fact(value) if fact.lo == fact.hi else Present(value)
        if isinstance(value, BlockArgument):
            return self._variable(value) if value.block is self.header else self._largest(self._incoming.get(value, ()))
        assert isinstance(value, OpResult)
        return self._result(value.op, value)

    def _variable(self, argument: BlockArgument) -> Bound | None:
        change = self._growth(argument)
        if change is None:
            return None
        bound = _most(Present(argument), change.other)
        assert bound is not None
        if change.step is None:
            return bound
        return combined("sum", bound, combined("product", Number(float(TURNS + 1)), change.step))

    def _largest(self, values: Sequence[Value]) -> Bound | None:
        found: Bound | None = None
        for value in values:
            bound = self.of(value)
            if bound is None:
                return None
            found = _most(found, bound)
        return found

    def _result(self, op: Operation, value: Value) -> Bound | None:
        if isinstance(op, Annotated):
            return self.of(op.argument)
        if isinstance(op, RangeNext):
            return self.of(op.current) if value is op.item else self._both("sum", op.current, op.step)
        if isinstance(op, Unary):
            found = self.of(op.argument)
            return found if found is None or op.kind != "~" else combined("sum", found, Number(1.0))
        if isinstance(op, Binary):
            return self._binary(op)
        return self._largest(self._no_larger(op)) if isinstance(op, Call) else None

    def _no_larger(self, op: Call) -> Sequence[Value]:
        """The arguments of a call whose result is no larger than the largest of them."""
        called = self.facts.calls.get(op)
        known = called is not None and called.kind == "model" and called.name in NO_LARGER and not op.kwnames
        return op.args if known else ()

    def _binary(self, op: Binary) -> Bound | None:
        constant = _positive(op.rhs)
        if op.kind == "*":
            return self._both("product", op.lhs, op.rhs)
        masks = [m for m in (_positive(op.lhs), constant) if m is not None] if op.kind == "&" else []
        if masks:
            return Number(float(min(masks)))
        if op.kind in SUMS:
            return self._both("sum", op.lhs, op.rhs)
        if constant is None:
            return None
        if op.kind == "%":
            return Number(float(constant))
        if op.kind in ("//", ">>"):
            return self.of(op.lhs)
        found = self.of(op.lhs)
        if op.kind != "<<" or constant > 62 or found is None:
            return None
        return combined("product", found, Number(float(1 << constant)))

    def _both(self, kind: str, a: Value, b: Value) -> Bound | None:
        left, right = self.of(a), self.of(b)
        return None if left is None or right is None else combined(kind, left, right)

    def _growth(self, argument: BlockArgument) -> Change | None:
        """What a turn makes of a variable of the loop; ``None`` if it is neither steps nor something else."""
        seen: dict[Value, Change | None] = {}
        return self._joined(self._incoming.get(argument, ()), argument, seen)

    def _joined(self, values: Sequence[Value], start: Value, seen: dict[Value, Change | None]) -> Change | None:
        found = Change()
        for value in values:
            change = self._change(value, start, seen)
            if change is None:
                return None
            found = found.joined(change)
        return found

    def _change(self, value: Value, start: Value, seen: dict[Value, Change | None]) -> Change | None:
        if value is start:
            return Change(step=NOTHING)
        if value not in seen:
            seen[value] = None
            seen[value] = self._changed(value, start, seen)
        return seen[value]

    def _changed(self, value: Value, start: Value, seen: dict[Value, Change | None]) -> Change | None:
        if isinstance(value, BlockArgument) and value.block in self.blocks and value.block is not self.header:
            return self._joined(self._incoming.get(value, ()), start, seen)
        op = value.op if isinstance(value, OpResult) and home(value) in self.blocks else None
        if isinstance(op, Annotated):
            return self._change(op.argument, start, seen)
        if isinstance(op, RangeNext) and value is op.following:
            return self._plus(op.current, op.step, start, seen)
        if isinstance(op, Call) and (arguments := self._no_larger(op)) and len(arguments) > 1:
            return self._joined(arguments, start, seen)
        if isinstance(op, Binary) and op.kind in SUMS:
            moved = self._plus(op.lhs, op.rhs, start, seen)
            if moved is None and op.kind != "-":
                moved = self._plus(op.rhs, op.lhs, start, seen)
            if moved is not None:
                return moved
        bound = self.of(value)
        return None if bound is None or self._depends(value, start, set()) else Change(other=bound)

    def _plus(self, value: Value, more: Value, start: Value, seen: dict[Value, Change | None]) -> Change | None:
        """The change of ``value + more`` where ``value`` is ``start`` changed, and ``more`` has nothing to do with
        it."""
        change = self._change(value, start, seen)
        if change is None or change.step is None or self._depends(more, start, set()):
            return None
        bound = self.of(more)
        return None if bound is None else change.plus(bound)

    def _depends(self, value: Value, start: Value, seen: set[Value]) -> bool:
        """Whether ``value`` is computed from ``start`` within one turn."""
        if value is start:
            return True
        if value in seen or home(value) not in self.blocks:
            return False
        seen.add(value)
        if isinstance(value, OpResult):
            sources: Sequence[Value] = value.op.operands
        else:
            sources = () if home(value) is self.header else self._incoming.get(value, ())
        return any(self._depends(source, start, seen) for source in sources)


def _positive(value: Value) -> int | None:
    literal = value.op.literal if isinstance(value, OpResult) and isinstance(value.op, Const) else None
    return literal if type(literal) is int and 0 < literal < 1 << 62 else None
