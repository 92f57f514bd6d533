"""Loops in two versions: with a guard at each operation, and without any.

A *hoisted* guard is decided before the loop, for as many turns as there are to the next poll: bounds on the loop's
integers (``lower.magnitudes``) and the built-in functions and constants it looks up by name. Where the decision is that
none can fail the turns run in the unguarded version, whose poll leads back to the decision. Otherwise they run in the
guarded version. So a hoisted guard never enters a twin: what fails is decided turn by turn, and only there.

The guarded version decides at its polls, too; a counted loop with enough turns before it decides already when it is
entered. Both versions keep the loop's variables in the same slots, so the way between them moves nothing. Without
guards, and with the poll outside, the unguarded version can become vector code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py import calls, containers, loops, names, operators
from ppy_compiler.infer import ranges
from ppy_compiler.ir import Block, Operation, OpResult, Value
from ppy_compiler.ir.types import F64, I64
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.hoisting import Hoisted
from ppy_compiler.lower.loopnest import Loop
from ppy_compiler.lower.magnitudes import SAFE, TURNS, Bound, Combined, Magnitudes, Number, Present
from ppy_compiler.lower.ops.elements import packable
from ppy_compiler.lower.ops.integers import BITWISE, I64_RANGE, RANGES
from ppy_compiler.lower.ops.loops import constant_step
from ppy_compiler.lower.ops.models import MATH, emitted
from ppy_compiler.lower.ops.names import is_expected, require_expected
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.plugins.specs import ElementSpec, LoweringSpec, ScalarSpec

MOST_OPERATIONS = 120
"""Operations of a loop that gets two versions."""
ENOUGH_TURNS = 64
"""Turns of a counted loop from which on it decides when it is entered."""
FEW_TURNS = 4
"""The same where each turn would look at the headers of arrays."""
PLAIN = (
    cf.Br,
    cf.CondBr,
    loops.Poll,
    loops.RangeNext,
    names.Annotated,
    names.CheckBound,
    names.Const,
    names.Drop,
    operators.Compare,
    operators.FromBool,
    operators.Truth,
)
"""Operations that have no guard where all they work on is held in registers."""
SELECTED = frozenset({"builtins.abs", "builtins.max", "builtins.min"})
CONVERTING = frozenset({"builtins.int", "builtins.float", *(f"math.{name}" for name in MATH)})
"""What may raise: it is left to loops over arrays, where what the headers cost is worth more."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Where the unguarded version takes the turns to the next poll without counting them: ``limit`` is the slot with
    the end of the count, ``rest`` where it goes on from there."""

    limit: Value
    rest: Block


@dataclass(frozen=True, slots=True)
class Version:
    """What a loop's unguarded version assumes, and the native blocks between the two."""

    loop: Loop
    bounds: tuple[Bound, ...]
    free: frozenset[Operation]
    """Operations whose guards hold under the bounds and the names."""
    lookups: tuple[names.LoadGlobal, ...]
    door: Block | None
    """Where a loop whose turns can be counted is entered from outside."""
    decide: Block
    due: Block
    """The poll, which both versions share; it leads to the decision."""
    guarded: Block
    unguarded: Block
    """Behind the poll of each version."""
    strip: Strip | None
    hoisted: Hoisted
    """Arrays whose headers are read before the loop."""


def plan_versions(body: Body, blocks: Sequence[Block]) -> dict[Operation, Version]:
    """The loops among ``blocks`` that get two versions in this body, by their polls."""
    fn = body.fn
    if body.general or fn.plain:
        return {}
    found = (_Planner(body, loop).plan() for loop in fn.loops.innermost if loop.header in blocks)
    return {version.loop.poll: version for version in found if version is not None}


def counting(loop: Loop) -> loops.RangeNext | None:
    """The operation that counts the loop's turns by a step that is written down."""
    for op in loop.header.ops:
        if isinstance(op, loops.RangeNext):
            return op if constant_step(op) else None
    return None


class _Planner:
    """Goes through a loop's operations once."""

    def __init__(self, body: Body, loop: Loop) -> None:
        self.body = body
        self.fn = body.fn
        self.loop = loop
        self.reprs = self.fn.plan.reprs
        self.magnitudes = Magnitudes(loop, self.fn.facts, self.reprs)
        self.free: dict[Operation, Bound] = {}
        self.lookups: list[names.LoadGlobal] = []
        self.hoisted = Hoisted(body, loop, counting(loop))
        self.calls = SELECTED

    def plan(self) -> Version | None:
        loop = self.loop
        ops = [op for block in loop.blocks for op in block.ops]
        self.calls = SELECTED | CONVERTING if any(self._is_element(op) for op in ops) else SELECTED
        if len(ops) > MOST_OPERATIONS or loop.header.ops[0] is not loop.poll:
            return None
        if not all(self._registers(op) and self._without_guard(op) for op in ops):
            return None
        if not self.free and not self.lookups and not self.hoisted and not self._is_vector_code(ops):
            return None
        bounds = outermost(bound for bound in self.free.values() if not isinstance(bound, Number))
        free, new = frozenset([*self.free, *self.lookups]), self.body.b.new_block
        door = new("door") if counting(loop) is not None else None
        decide, due, guarded, unguarded = (new(hint) for hint in ("decide", "poll", "guarded", "unguarded"))
        strip = Strip(self.body.b.slot(I64, "limit"), new("rest")) if self._only_counts_out() else None
        found = tuple(self.lookups)
        self.hoisted.settle(loop)
        return Version(loop, bounds, free, found, door, decide, due, guarded, unguarded, strip, self.hoisted)

    def _only_counts_out(self) -> bool:
        """Whether the loop ends at its head only, when the count is at its end."""
        head, *others = self.loop.blocks
        end, op = head.terminator, counting(self.loop)
        if op is None or not isinstance(end, cf.CondBr) or end.condition is not op.more:
            return False
        inside = set(self.loop.blocks)
        return end.then.block in inside and all(edge.block in inside for block in others for edge in block.edges())

    def _registers(self, op: Operation) -> bool:
        """Whether ``op`` works on registers only; a name that is looked up is settled by itself."""
        if isinstance(op, names.LoadGlobal):
            return True
        if isinstance(op, loops.RangeNext):
            return all(self.reprs[v] is Repr.I64 for v in (op.current, op.stop, op.step))
        spec = self._plugged(op)
        if isinstance(spec, ElementSpec) or (isinstance(op, containers.BuildTuple) and packable(self.body, op)):
            return True
        values = [*op.operands, *op.results, *(v for edge in op.edges() for v in edge.operands)]
        if isinstance(op, calls.Call):
            values.remove(op.callee)
        return all(self._is_register(v) for v in values)

    def _is_register(self, value: Value) -> bool:
        if isinstance(value, OpResult) and isinstance(value.op, names.Const | names.Unbound):
            return True
        return self.reprs[value] not in (Repr.OBJ, Repr.U64) and value not in self.fn.chains.wide

    def _without_guard(self, op: Operation) -> bool:
        """Whether ``op`` has no guard, or one that can be decided before the loop; notes what that needs."""
        spec = self._plugged(op)
        if isinstance(spec, ScalarSpec) or isinstance(op, containers.BuildTuple):
            return True
        if isinstance(spec, ElementSpec):
            assert isinstance(op, operators.GetItem | operators.SetItem)
            return self.hoisted.add(op, spec)
        if isinstance(op, loops.RangeNext):
            return constant_step(op) in (1, -1) or self._hoist(op, op.following)
        if isinstance(op, operators.Binary):
            return self._binary(op)
        if isinstance(op, operators.Unary):
            return self._unary(op)
        if isinstance(op, names.LoadGlobal):
            return self._lookup(op)
        return self._call(op) if isinstance(op, calls.Call) else isinstance(op, PLAIN)

    def _is_element(self, op: Operation) -> bool:
        return isinstance(self._plugged(op), ElementSpec)

    def _plugged(self, op: Operation) -> LoweringSpec | None:
        """How a plugin lowers ``op``."""
        known = self.fn.facts.plugged.get(op)
        return known.model.lowering if known is not None and known.lowered else None

    def _hoist(self, op: Operation, value: Value) -> bool:
        bound = self.magnitudes.of(value)
        if bound is None or (isinstance(bound, Number) and bound.number >= SAFE):
            return False
        self.free[op] = bound
        return True

    def _range(self, value: Value, op: Operation) -> tuple[int, int]:
        """What is known of a word where ``op`` stands."""
        assert op.parent is not None
        lo, hi = self.fn.facts.at(value, op.parent).range
        return I64_RANGE[0] if lo is None else lo, I64_RANGE[1] if hi is None else hi

    def _binary(self, op: operators.Binary) -> bool:
        kind, kinds = op.kind, {self.reprs[op.lhs], self.reprs[op.rhs]}
        if op.value in self.fn.chains.wrapped or op in self.fn.counters.free or kind in BITWISE:
            return True
        if Repr.F64 in kinds:
            return kind != "**"
        a, b = self._range(op.lhs, op), self._range(op.rhs, op)
        if kind in RANGES:
            return ranges.within(RANGES[kind](a, b), I64_RANGE) or self._hoist(op, op.value)
        if kind in ("//", "%"):
            return b[0] > 0 and (a[0] >= 0 or b[0] == b[1])
        if kind == ">>":
            return 0 <= b[0] <= b[1] <= 63
        return kind == "<<" and 0 <= b[0] <= b[1] <= 62 and self._hoist(op, op.value)

    def _unary(self, op: operators.Unary) -> bool:
        if op.kind == "~":
            return self.reprs[op.argument] is Repr.I64
        if op.kind == "+" or self.reprs[op.argument] is Repr.F64 or self._range(op.argument, op)[0] > I64_RANGE[0]:
            return True
        return self._hoist(op, op.argument)

    def _lookup(self, op: names.LoadGlobal) -> bool:
        if not is_expected(self.body, op):
            return False
        self.lookups.append(op)
        return True

    def _call(self, op: calls.Call) -> bool:
        name = emitted(self.body, op)
        if name not in self.calls:
            return False
        if name not in SELECTED or any(self.reprs[value].either for value in op.args):
            return True
        single = len(op.args) == 1
        if not single or self.reprs[op.args[0]] is Repr.F64 or self._range(op.args[0], op)[0] > I64_RANGE[0]:
            return True
        return self._hoist(op, op.args[0])

    def _is_vector_code(self, ops: list[Operation]) -> bool:
        """Whether the turns depend on each other through steps of integers only: then the poll alone is in the way of
        vectors."""
        if any(isinstance(op, calls.Call) for op in ops):
            return False
        live = self.fn.liveness.into(self.loop.header)
        carried = [arg for arg in self.loop.header.args if live & self.fn.liveness.bit(arg)]
        return all(
            self.body.b.fastmath if self.reprs[arg] is Repr.F64 else self.magnitudes.linear(arg) for arg in carried
        )


def outermost(bounds: Iterable[Bound]) -> tuple[Bound, ...]:
    """The bounds that are not part of another that is at least as large."""
    inner: set[Bound] = set()
    found = dict.fromkeys(bounds)
    for bound in found:
        work = [bound]
        while work:
            whole = work.pop()
            if isinstance(whole, Combined) and whole.kind != "product":
                parts = (whole.left, whole.right)
                inner.update(parts)
                work.extend(parts)
    return tuple(bound for bound in found if bound not in inner)


def emit_version(body: Body, version: Version) -> None:
    """What stands between the versions, and the unguarded one; the guarded one is there."""
    body.homes = body.fn.permanent(body)
    body.begin(version.loop.poll)
    if version.door is not None:
        _emit_door(body, version, version.door)
    _emit_decision(body, version)
    with body.copying(version):
        if version.strip is not None:
            _emit_strip(body, version, version.strip)
        body.fn.emit_blocks(body, version.loop.blocks)


def _emit_door(body: Body, version: Version, door: Block) -> None:
    """Enough turns ahead: decide now."""
    b, op = body.b, counting(version.loop)
    assert op is not None
    step = constant_step(op)
    assert step is not None
    b.at(door)
    first, last = (op.current, op.stop) if step > 0 else (op.stop, op.current)
    low, high = body.read(first), body.read(last)
    turns = FEW_TURNS if version.hoisted else ENOUGH_TURNS
    enough = b.cmp("uge", b.binary("sub", high, low), b.i64(turns * abs(step)))
    go = b.binary("and", b.cmp("slt", low, high), enough)
    b.cond_br(go, version.decide, body.blocks[version.loop.header])


def _emit_strip(body: Body, version: Version, strip: Strip) -> None:
    """Settle how far the turns to the next poll reach; what follows when they are done."""
    b, op = body.b, counting(version.loop)
    assert op is not None
    step = constant_step(op)
    assert step is not None
    up, size = step > 0, b.i64(abs(step))

    def ahead() -> tuple[Value, Value]:
        current, stop = body.read(op.current), body.read(op.stop)
        return current, b.cmp("slt" if up else "sgt", current, stop)

    b.at(version.unguarded)
    current, more = ahead()
    stop, budget = body.read(op.stop), body.budget(TURNS)
    away = b.binary("sub", stop, current) if up else b.binary("sub", current, stop)
    whole = b.binary("add", b.binary("udiv", b.binary("sub", away, b.i64(1)), size), b.i64(1))
    left = b.get(budget)
    turns = b.select(more, b.select(b.cmp("ult", whole, left), whole, left), b.i64(0))
    b.set(budget, b.binary("sub", left, turns))
    b.set(strip.limit, b.binary("add", current, b.binary("mul", turns, b.i64(step))))
    b.br(body.blocks[version.loop.header])
    b.at(strip.rest)
    _, more = ahead()
    b.cond_br(more, version.due, version.guarded)


def _emit_decision(body: Body, version: Version) -> None:
    b = body.b
    b.at(version.decide)

    def require(ok: Value) -> None:
        go = b.new_block()
        b.cond_br(ok, go, version.guarded)
        b.at(go)

    if body.fn.unit.stress:
        require(body.luck())
    for op in version.lookups:
        body.begin(op)
        require_expected(body, op, require)
    body.begin(version.loop.poll)
    if version.hoisted:
        version.hoisted.decide(require)
    evaluated: dict[Bound, Value] = {}
    good, fastmath = b.i1(True), b.fastmath
    b.fastmath = False  # a bound is a proof
    for bound in version.bounds:
        good = b.binary("and", good, b.cmp("olt", _evaluate(body, bound, evaluated), b.f64(SAFE)))
    b.fastmath = fastmath
    b.cond_br(good, version.unguarded, version.guarded)


def _evaluate(body: Body, bound: Bound, known: dict[Bound, Value]) -> Value:
    if bound in known:
        return known[bound]
    b = body.b
    if isinstance(bound, Number):
        found = b.f64(bound.number)
    elif isinstance(bound, Present):
        found = b.call1("llvm.fabs.f64", [b.cast("sitofp", body.read(bound.value), F64)], F64)
    else:
        left, right = _evaluate(body, bound.left, known), _evaluate(body, bound.right, known)
        if bound.kind == "most":
            found = b.select(b.cmp("ogt", left, right), left, right)
        else:
            found = b.binary("fadd" if bound.kind == "sum" else "fmul", left, right)
    known[bound] = found
    return found
