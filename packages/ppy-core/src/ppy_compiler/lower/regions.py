"""Parallel loops: a loop's body as a function of its own, which threads run in chunks.

For each loop that inference found eligible (``infer.parallel``) there is a function ``region``, from captured values
and a range of turns to partial results, and a ``worker`` body of each function it calls. They belong to the function
with the loop. The fast body asks the pool to run the region (``ops.regions``), and runs the loop itself if it did not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppy_compiler.dialects import func
from ppy_compiler.dialects.cf import Br
from ppy_compiler.infer.parallel import ParallelLoop, Reduction, decide
from ppy_compiler.infer.parallel.bodies import callee_blocks
from ppy_compiler.ir import Block, BlockArgument, Value
from ppy_compiler.ir.types import F64, I64, PTR
from ppy_compiler.lower.body import GAVE_UP, ZERO, rematerialized
from ppy_compiler.lower.body.gil import OBJECT_FREE
from ppy_compiler.lower.body.worker import Trusted, Worker
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering

WORTH = 60_000
"""Nanoseconds of work from which on a loop is given to threads."""
GRAIN = 15_000
"""Nanoseconds of work of a chunk, at least."""
START, STOP, STEP, TRIPS, CAPTURED = 0, 8, 16, 24, 32
"""Where the captures lie."""
KINDS = {"min": "<", "max": ">"}
FLOAT_KINDS = {"+": "a", "*": "m", "min": "l", "max": "g"}
QUIET = OBJECT_FREE | {
    "ppy_region_poll", "ppy_fail_guard", "ppy_math_quiet", "ppy_f64_floordiv", "ppy_f64_mod", "ppy_range_length",
}  # fmt: skip
"""What a worker body may call: with the guards that it puts before them, these raise nothing."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that a chunk hands back: ``letter`` is that of ``ppy_run_region``; a chunk begins with ``neutral``, or
    with what the variable was before the loop."""

    argument: BlockArgument
    letter: str
    neutral: object = None


@dataclass(frozen=True, slots=True)
class Region:
    """One outlined loop."""

    parallel: ParallelLoop
    name: str
    captured: tuple[Value, ...]
    variables: tuple[Variable, ...]
    trusted: tuple[tuple[str, Trusted], ...]
    """Globals and what they must hold when the region begins."""

    @property
    def letters(self) -> str:
        return "".join(variable.letter for variable in self.variables)

    @property
    def threshold(self) -> int:
        """Turns from which on threads are asked."""
        return max(2, WORTH // max(self.parallel.cost, 1))

    @property
    def grain(self) -> int:
        return max(1, GRAIN // max(self.parallel.cost, 1))


class Outline:
    """The regions of one function, by the branch into the loop; ``builders``: the native functions they are."""

    def __init__(self, fn: FunctionLowering) -> None:
        self.fn = fn
        self.regions: dict[Br, Region] = {}
        self.builders: list[NativeBuilder] = []
        self.callees: dict[FunctionLowering, str] = {}
        self._trusted: dict[str, Trusted] = {}

    def lower(self) -> None:
        if not self.fn.directives.parallel:
            return
        for _, outcome in decide(self.fn.facts, self.fn.unit.facts):
            if isinstance(outcome, ParallelLoop):
                self._outline(outcome)

    def data(self) -> list[func.Bytes]:
        """The letters of each region, and the words in which it keeps its patience."""
        source, found = self.fn.key, []
        for region in self.regions.values():
            content = region.letters.encode() + b"\0"
            found.append(func.Bytes(sym=f"letters.{region.name}", source=source, content=content))
            found.append(func.Bytes(sym=f"patience.{region.name}", source=source, content=bytes(16), writable=True))
        return found

    def _outline(self, parallel: ParallelLoop) -> None:
        known = dict(self.callees)
        self._trusted = {}
        name = f"region{len(self.regions)}.{self.fn.symbol}"
        variables, captured = self._variables(parallel), self._captured(parallel)
        made = [self._region(parallel, name, captured, variables)]
        while len(self.callees) >= len(known) + len(made):  # a worker may call others
            made.append(self._worker(list(self.callees)[len(known) + len(made) - 1]))
        if not all(_quiet(builder, self.callees.values()) for builder in made):
            self.callees = known
            return
        self.builders += made
        self.regions[parallel.loop.entry] = Region(parallel, name, captured, variables, tuple(self._trusted.items()))

    def _variables(self, parallel: ParallelLoop) -> tuple[Variable, ...]:
        return (
            *map(_reduced, parallel.reductions),
            *(Variable(kept.variable, "=", ZERO[self.fn.plan.reprs[kept.variable]]) for kept in parallel.kept),
        )

    def _captured(self, parallel: ParallelLoop) -> tuple[Value, ...]:
        """Numbers from outside that the loop uses, and what its variables are before it."""
        loop, begin = parallel.loop, parallel.loop.begin
        inside: set[Value] = {result for block in loop.blocks for op in block.ops for result in op.results}
        inside |= {arg for block in loop.blocks for arg in block.args}
        used = [v for block in loop.running for op in block.ops for v in op.operands]
        used += [v for block in loop.running for op in block.ops for edge in op.successors for v in edge.operands]
        used += loop.entry.target.operands
        bounds = {begin.current, begin.stop, begin.step}
        found = [v for v in used if v not in inside and v not in bounds and self.fn.plan.reprs[v].scalar]
        return tuple(dict.fromkeys(v for v in found if not rematerialized(v)))

    def _callee(self, target: FunctionLowering) -> str:
        return self.callees.setdefault(target, f"worker.{self.fn.symbol}.{target.symbol}")

    def _emit(self, body: Worker, blocks: tuple[Block, ...]) -> None:
        body.fn.emit_part(body, blocks)
        self._trusted |= body.trusted

    # The region

    def _region(
        self, parallel: ParallelLoop, name: str, captured: tuple[Value, ...], variables: tuple[Variable, ...]
    ) -> NativeBuilder:
        fn, loop = self.fn, parallel.loop
        native = NativeBuilder(name, fn.key, "region", (PTR, PTR, I64, I64, PTR), (I64,))
        native.fastmath = fn.directives.fastmath
        body = Worker(fn, native, (native.i64(1),), self._callee)
        sums = [r for r in parallel.reductions if r.kind in "+*" and not r.is_float]
        body.accumulating = frozenset(op for r in sums for op in r.operations)
        body.way_out = loop.header.terminator
        body.start(loop.running)
        body.absent.add(loop.begin.iterator)
        body.outside = native.new_block("end")
        self._enter(body, parallel, captured, variables)
        entered = native.block
        self._emit(body, loop.running)
        native.at(entered)
        body.begin(loop.entry)
        native.br(body.entrance(loop.header))
        native.at(body.outside)
        for index, variable in enumerate(variables):
            value = native.get(body.slots[variable.argument])
            native.store(native.params[4], 8 * index, as_stored(native, value, body.repr(variable.argument)))
        native.ret(native.i64(0))
        return native

    def _enter(
        self, body: Worker, parallel: ParallelLoop, captured: tuple[Value, ...], variables: tuple[Variable, ...]
    ) -> None:
        b, loop, captures = body.b, parallel.loop, body.b.params[1]
        start, stop, step, trips = (b.load(captures, at, I64) for at in (START, STOP, STEP, TRIPS))
        lo, hi = b.params[2], b.params[3]
        first = b.binary("add", start, b.binary("mul", lo, step))
        last = b.binary("add", start, b.binary("mul", hi, step))
        bounds = {loop.begin.current: first, loop.begin.step: step}
        bounds[loop.begin.stop] = b.select(b.cmp("eq", hi, trips), stop, last)
        for value, native in bounds.items():
            body.give_slot(value)
            b.set(body.slots[value], native)
        for index, value in enumerate(captured):
            body.give_slot(value)
            b.set(body.slots[value], load_stored(b, captures, CAPTURED + 8 * index, body.repr(value)))
        body.begin(loop.entry)
        body.pass_along(loop.entry.target)
        for variable in variables:
            if variable.neutral is not None:
                kind = body.repr(variable.argument)
                b.set(body.slots[variable.argument], b.const(variable.neutral, kind.native))

    # The functions it calls

    def _worker(self, target: FunctionLowering) -> NativeBuilder:
        params = (PTR, *(target.plan.reprs[p].native for p in target.params))
        native = NativeBuilder(
            self.callees[target], self.fn.key, "worker", params, target.fast_returns, convention="fast"
        )
        native.fastmath = target.directives.fastmath
        zero = native.const(ZERO[target.returns], target.returns.native)
        body = Worker(target, native, (zero, native.i64(GAVE_UP)), self._callee)
        blocks = callee_blocks(target.facts)
        body.start(blocks)
        for param, value in zip(target.params, native.params[1:], strict=True):
            body.give_slot(param)
            native.set(body.slots[param], value)
        target.check_stack(body)
        native.br(body.blocks[target.source.body.entry])
        self._emit(body, blocks)
        return native


def _reduced(reduction: Reduction) -> Variable:
    kind, is_float = reduction.kind, reduction.is_float
    letter = FLOAT_KINDS[kind] if is_float else KINDS.get(kind, kind)
    neutral: object = {"+": -0.0 if is_float else 0, "*": 1.0 if is_float else 1, "^": 0}.get(kind)
    return Variable(reduction.variable, letter, neutral)


def _quiet(native: NativeBuilder, workers: Iterable[str]) -> bool:
    """Whether it calls nothing but other worker bodies and what touches no object."""
    allowed = QUIET.union(workers)
    calls = [op for block in native.region.blocks for op in block.ops if isinstance(op, func.Call | func.CallPointer)]
    return all(isinstance(op, func.Call) and op.callee in allowed for op in calls)


def as_stored(b: NativeBuilder, value: Value, kind: Repr) -> Value:
    """A number as a word in memory."""
    return b.cast("zext", value, I64) if kind in (Repr.BOOL, Repr.BIT) else value


def load_stored(b: NativeBuilder, address: Value, offset: int, kind: Repr) -> Value:
    if kind in (Repr.BOOL, Repr.BIT):
        return b.nonzero(b.load(address, offset, I64))
    return b.load(address, offset, F64 if kind is Repr.F64 else I64)
