"""Lowering one Python function: which bodies it gets, and the native functions around them.

Every native function has a *twin*, the general body, entered at its start or at any resume point. Where something
can be held unboxed
it also has a *fast* body, *exits* from its guards into the twin, and, where it loops, a *loops* body: the fast body
once more, entered
from the twin at a loop's head once every live value fits again. ``entry`` is what CPython calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ppy_compiler.dialects import func
from ppy_compiler.dialects.py import functions, loops
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.directives import code_directives
from ppy_compiler.dialects.py.names import Const
from ppy_compiler.ir import Block, Operation, OpResult, Trait, Type, Value
from ppy_compiler.ir.types import I1, I32, I64, OBJECT, PTR
from ppy_compiler.lower.body import ZERO, Body, rematerialized
from ppy_compiler.lower.body.values import Values
from ppy_compiler.lower.chains import Chains
from ppy_compiler.lower.closure import Dependence, lower_valid
from ppy_compiler.lower.counters import Counters
from ppy_compiler.lower.deferred import defer
from ppy_compiler.lower.frame import Frame
from ppy_compiler.lower.inlining import Expansion, expanded
from ppy_compiler.lower.liveness import Liveness
from ppy_compiler.lower.loopnest import LoopNest
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.offsets import Offsets, code_at
from ppy_compiler.lower.regions import Outline
from ppy_compiler.lower.reprs import Plan, Repr, of_fact
from ppy_compiler.lower.tensor.fusion import Fusion

if TYPE_CHECKING:
    from ppy_compiler.infer.results import FunctionFacts
    from ppy_compiler.lower.unit import UnitLowering

Position = tuple[Block, int]
RAISED = 1
BOXED = 2


class FunctionLowering:
    """What the bodies of one function share."""

    def __init__(self, unit: UnitLowering, op: functions.Func, facts: FunctionFacts) -> None:
        self.unit = unit
        self.source = op
        self.facts = facts
        self.directives = code_directives(op.directives)
        self.key = facts.key
        self.symbol = unit.mangle(facts.key)
        self.record = unit.record(op.sym)
        self.offsets = Offsets(code_at(unit.code, op.code))
        self.liveness = Liveness(op.body)
        self.plan = Plan(op.body, facts.values)
        self.counters = Counters(op.body, facts.values)
        self.chains = Chains(op.body, facts.values, facts.demanded, self.plan.reprs)
        self.deferred = defer(op.body, facts.plugged, self.liveness, self.plan.reprs, self.chains.anchors)
        self.returns = of_fact(facts.returns)
        self.has_fast = self.plan.unboxes
        self.closes = bool(op.freevars)
        self.pinned = self._pinned()
        self.frame = Frame()
        self.packings: dict[bytes, str] = {}
        self.caches: dict[Operation, int] = {}
        self.points: dict[Position, int] = {}
        self.headers: list[Operation] = []
        self.loops = LoopNest(op.body, facts.op_effects, facts.values)
        self.fusion = Fusion(self)
        self.plan.nullable.update(self.fusion.absent)
        self.direct: dict[Call, FunctionLowering] = {}
        self.expansion = Expansion()
        self.outline = Outline(self)
        self.closed = False
        self.depends: tuple[Dependence, ...] = ()
        self.family: tuple[FunctionLowering, ...] = ()
        """The versions that the entry, which is this one's, chooses from; empty where another one's is."""
        self._edges: dict[Block, int] = {}
        self._index = {o: i for block in op.body.blocks for i, o in enumerate(block.ops)}
        self.start: Position = (op.body.entry, -1)
        self.point_at(*self.start)

    def _pinned(self) -> dict[Value, object]:
        """Parameters that are one number in this version: its bodies read that, whatever register they came in."""
        literals = {param: self.facts.literal(index) for index, param in enumerate(self.params)}
        return {
            param: literal.value
            for param, literal in literals.items()
            if literal is not None and self.plan.reprs[param].scalar and self.facts.values[param].literal == literal
        }

    def text(self, value: Value) -> str | None:
        """The text that a value is in this version: written there, or a parameter that is one."""
        if isinstance(value, OpResult):
            found = value.op.literal if isinstance(value.op, Const) else None
        else:
            literal = self.facts.literal(self.params.index(value)) if value in self.params else None
            found = None if literal is None else literal.value
        return found if isinstance(found, str) else None

    # Facts about the function

    @property
    def params(self) -> list[Value]:
        return list(self.source.body.entry.args)

    @property
    def fast_returns(self) -> tuple[Type, Type]:
        return (self.returns.native, I64)

    @property
    def plain(self) -> bool:
        """Whether optimising hard would not pay: the loops spend their time in the interpreter's functions, or the
        unit
        is large and this is not where a program's time goes."""
        waits = self.loops.any and not self.loops.numeric
        intense = self.loops.nested or self in self.direct.values() or self.size <= SMALL
        return waits or (self.unit.large and self.level < 3 and not intense)

    @property
    def level(self) -> int:
        """The level of optimisation that was asked for; 0 if none was."""
        asked = self.directives.level
        return (self.unit.options.opt_level or 0) if asked is None else asked

    def free_index(self, var: str) -> int:
        return self.source.freevars.index(var)

    def name(self, role: str) -> str:
        return f"{role}.{self.symbol}"

    # Resume points

    def point_at(self, block: Block, index: int) -> int:
        return self.points.setdefault((block, index), len(self.points))

    def predecessors(self, block: Block) -> int:
        """The number of edges into ``block``."""
        if not self._edges:
            for edge in (edge for other in self.source.body.blocks for edge in other.edges()):
                self._edges[edge.block] = self._edges.get(edge.block, 0) + 1
        return self._edges.get(block, 0)

    @property
    def size(self) -> int:
        """The number of its operations."""
        return len(self._index)

    def index(self, op: Operation) -> int:
        """The operation's position in its block."""
        return self._index[op]

    def point(self, op: Operation, after: bool) -> int:
        assert op.parent is not None
        return self.point_at(op.parent, self._index[op] + after)

    def live_at(self, position: Position) -> list[Value]:
        """The values a resume point needs, in the order in which they are handed over: at the start, all
        parameters."""
        if position == self.start:
            return self.params
        block, index = position
        mask = self.liveness.before(block.ops[index])
        return [value for value in self.liveness.members(mask) if not rematerialized(value)]

    def packing(self, content: bytes) -> str:
        """The symbol of a packing's records."""
        return self.packings.setdefault(content, f"pack{len(self.packings)}.{self.symbol}")

    def cache(self, op: Operation) -> int:
        """Where the cache of an operation on an attribute lies among the function's."""
        return self.caches.setdefault(op, len(self.caches)) * CACHE_SIZE

    # Bodies

    def lower(self) -> list[NativeBuilder]:
        """All native functions of this Python function."""
        from ppy_compiler.lower.entry import lower_entry
        from ppy_compiler.lower.reentry import lower_loops
        from ppy_compiler.lower.twin import lower_run, lower_start, lower_twin

        made: list[NativeBuilder] = []
        if self.has_fast:
            self.outline.lower()
            made += [self._fast(), *self.outline.builders]
            if self._inlines_itself or self.expansion.copied:
                made.append(self._fast(copy=True))
            if self.depends:
                made.append(lower_valid(self))
            if self.headers:
                made += lower_loops(self)
        made.append(lower_twin(self))
        module = self.source.kind == "module"
        if self.has_fast or module:
            made.append(lower_run(self))
        if self.family:
            made.append(lower_start(self) if module else lower_entry(self))
        made += self.fusion.kernels()
        for builder in made:
            builder.func.attributes["level"] = self.directives.level
        self.frame.settle()
        return made

    def data(self) -> list[func.Bytes]:
        """Bytes that the bodies refer to."""
        data = [func.Bytes(sym=sym, source=self.key, content=c) for c, sym in self.packings.items()]
        data += self.fusion.data()
        data += self.outline.data()
        if self.caches:
            offsets = (self.offsets.of(op.span) for op in self.caches)
            caches = b"".join(offset.to_bytes(4, "little", signed=True).ljust(CACHE_SIZE, b"\0") for offset in offsets)
            data.append(func.Bytes(sym=self.name("caches"), source=self.key, content=caches, writable=True))
        return data

    def _context(self) -> tuple[Type, ...]:
        return (PTR, OBJECT) if self.closes else (PTR,)

    def builder(
        self, role: str, params: tuple[Type, ...], returns: tuple[Type, ...], *, name: str = "", cold: bool = False
    ) -> NativeBuilder:
        convention = "fast" if role in ("fast", "loops") else "c"
        plain = role in ("fast", "loops") and self.plain
        sym, params = name or self.name(role), (*self._context(), *params)
        native = NativeBuilder(sym, self.key, role, params, returns, convention=convention, cold=cold, plain=plain)
        native.fastmath = self.directives.fastmath
        return native

    def body(self, role: str, native: NativeBuilder) -> Body:
        func = native.params[1] if self.closes else None
        return Body(self, role, native, native.params[0], func)

    @property
    def _inlines_itself(self) -> bool:
        """Small recursive functions: every other level of the recursion is inlined and goes without a stack check."""
        small = self.closed and self.size <= MOST_INLINED
        wanted = (small or self.directives.inline) and not self.directives.noinline
        return wanted and self in self.direct.values()

    def callee(self, target: FunctionLowering, body: Body) -> str:
        """The native function that a direct call of ``target`` in ``body`` of this function calls."""
        if target is self:
            expands = self._inlines_itself and body.role == "fast" and not body.is_copy
        else:
            expands = expanded(target, in_copy=body.is_copy)
        return target.name("inlined" if expands else "fast")

    def _fast(self, copy: bool = False) -> NativeBuilder:
        """``copy``: what is expanded in place of calls, under a name of its own."""
        params = tuple(self.plan.reprs[p].native for p in self.params)
        native = self.builder("fast", params, self.fast_returns, name=self.name("inlined") if copy else "")
        native.func.attributes["inline"] = "always" if copy else "never" if self.directives.noinline else ""
        body = self.body("fast", native)
        body.is_copy = copy
        self.prepare(body, set())
        offset = len(self._context())
        for param, value in zip(self.params, native.params[offset:], strict=True):
            if self.plan.reprs[param] is Repr.OBJ and param not in body.slots:
                body.borrowed.add(param)
                body.homes[param] = value
                continue
            if self.plan.reprs[param] is Repr.OBJ:
                native.incref(value)
            body.store(param, value)
        if not copy:
            self.check_stack(body)
        native.br(body.blocks[self.source.body.entry])
        self.emit(body)
        return native

    def check_stack(self, body: Body) -> None:
        """Functions that call others may recurse: when the stack is nearly used up the twin goes on on a fresh
        one."""
        if any(op.name in CALLS for block in self.source.body.blocks for op in block.ops):
            body.begin(self.source.body.entry.ops[0])
            low = body.b.call1("ppy_stack_low", [body.ctx], I32)
            body.deopt_unless(body.b.cmp("eq", low, body.b.i32(0)))

    def place(self, op: Operation) -> Position:
        assert op.parent is not None
        return (op.parent, self._index[op])

    def prepare(self, body: Body, entries: set[Position], part: Iterable[Block] | None = None) -> None:
        """Blocks and slots. ``entries``: where the body is entered besides its start; ``part``: its blocks, if not
        all."""
        region, live = self.source.body, self.liveness
        body.entries = entries
        entered = any(edge.block is region.entry for block in region.blocks for edge in block.edges())
        slotted = 0
        for block in region.blocks if part is None else part:
            body.blocks[block] = body.b.new_block(block.hint or "block")
            if block is not region.entry or body.role != "fast" or entered:
                for arg in block.args:
                    slotted |= live.bit(arg)
            for edge in block.edges():
                slotted |= live.beyond(edge.block)
            for op in block.ops:
                if op.name in SLOTTED_RESULTS:
                    slotted |= live.bit(op.results[0])
        slotted |= self._beside_kernels(body)
        for position in entries:
            for value in self.live_at(position):
                slotted |= live.bit(value)
        if body.role == "fast" and not entered:
            for param in self.params:
                slotted &= ~live.bit(param)
        for value in live.members(slotted):
            if not rematerialized(value):
                body.slots[value] = body.make_slot(value)
                if not body.general and value in self.plan.flagged:
                    body.flags[value] = body.b.slot(I1)

    def emit(self, body: Body) -> None:
        """The whole body."""
        self.emit_part(body, self.source.body.blocks)
        body.finish()

    def emit_part(self, body: Body, blocks: Sequence[Block]) -> None:
        """Some blocks, and the loops among them that have two versions in their other one."""
        from ppy_compiler.lower.loopversions import emit_version, plan_versions

        body.versions = plan_versions(body, blocks)
        self.emit_blocks(body, blocks)
        for version in body.versions.values():
            emit_version(body, version)
        body.b.inlines = True

    def emit_blocks(self, body: Body, blocks: Iterable[Block]) -> None:
        """Some blocks, in order."""
        from ppy_compiler.lower.ops import HANDLERS
        from ppy_compiler.lower.ops.plugged import plugged

        fuses = self._fuses(body)
        behind: Block | None = None
        for block in blocks:
            if block in body.skipped:
                continue
            body.b.at(body.blocks[block])
            body.b.inlines = not self.loops.any or block in self.loops.hot
            body.homes = self.permanent(body)
            for index, op in enumerate(block.ops):
                if (block, index) in body.entries and body.version is None:
                    resume = body.resume_block((block, index))
                    body.b.br(resume)
                    body.b.at(resume)
                if fuses and op in self.fusion.starts:
                    body.begin(op)
                    behind = self.fusion.attempt(body, self.fusion.starts[op])
                body.begin(op)
                if not body.general:
                    body.assumed.doubt(op, self.facts.op_effects.get(op, 0))
                if op not in self.facts.plugged or not plugged(body, op):
                    HANDLERS[type(op)](body, op)
                if not op.has_trait(Trait.TERMINATOR):
                    body.end()
                if behind is not None and op in self.fusion.ends:
                    body.b.br(behind)
                    body.b.at(behind)
                    behind = None

    def _fuses(self, body: Body) -> bool:
        """Trees are kernels where the time is spent: not in a twin that only finishes calls."""
        return not body.is_copy and (body.role != "twin" or not self.has_fast)

    def _beside_kernels(self, body: Body) -> int:
        """Values that need slots because a tree is computed in one of two ways."""
        return sum(map(self.liveness.bit, self.fusion.kept)) if self._fuses(body) else 0

    def permanent(self, body: Body) -> dict[Value, Value]:
        """Where values are found in every block."""
        return {p: body.homes[p] for p in self.params if p in body.homes}

    def return_raised(self, body: Values) -> None:
        if body.general:
            body.b.ret(body.b.null())
        else:
            body.b.ret(body.b.const(ZERO[self.returns], self.returns.native), body.b.i64(RAISED))

    def header(self, op: loops.Poll) -> int:
        """The number under which the loops body is entered at this poll."""
        if op not in self.headers:
            self.headers.append(op)
        return self.headers.index(op)


CACHE_SIZE = 32
"""Bytes of a ``ppy_attr_cache``; the first four are the operation's bytecode offset."""
SMALL = 40
"""Operations of a function that is optimised hard in any unit."""
MOST_INLINED = 60
"""Operations of a function that is inlined into itself."""
CALLS = frozenset({"py.call", "py.call_method", "py.call_ex"})
SLOTTED_RESULTS = frozenset({"py.next", "py.range_next"})
