"""The interpreter's engine: decodes a function's region once into Python code that CPython then runs.

Takes a verified region and a table from operation class to its reference function (beside its dialect); gives the
statements of a Python function. A reference function says what one operation means as a Python expression or as
statements, nothing else: blocks, edges, handlers, the lifetimes of values and source positions are settled here, so
that frames, tracebacks and object lifetimes of an interpreted program are those of CPython.

How it works
    * A value used once, by an operation that follows in evaluation order, becomes part of that operation's expression;
      every other value is a local variable, cleared after its last use.
    * A block with one way in is emitted in place; the others are arms of a decision tree inside one loop, chosen by
    ``%b``.
    * Neighbouring operations that unwind to one place share a ``try``; its handler leaves the ``except`` clause at
    once, because
      the handled exception is explicit in the IR.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ppy_compiler.ir.core import Block, Operation, OpResult, Region, Successor, Value
from ppy_compiler.ir.interrupts import guarded, strike
from ppy_compiler.ir.liveness import Liveness
from ppy_compiler.ir.syntax import assign, is_marker, load, locate, store
from ppy_compiler.ir.traits import Trait
from ppy_compiler.ir.writing import ANYWHERE, Anywhere, Key, Meaning, Pending, Reference, Try, Writer

__all__ = ["Emitter", "Meaning", "Reference"]

MAX_NESTING = 24
"""Blocks emitted inside each other, before the decision tree is used instead."""


class Emitter(Writer):
    """Decodes one region. Reference functions use ``value``, ``store``, ``object``, ``call``, ``alias``; ``code``
    gives the result.
    """

    def __init__(
        self,
        region: Region,
        table: Mapping[type[Operation], Reference],
        context: Any = None,
        variables: frozenset[str] = frozenset(),
        names: Mapping[Value, str] | None = None,
    ) -> None:
        super().__init__(names or {})
        self.context = context
        self.table = table
        self.region = region
        self.liveness = Liveness(region)
        self._share_names(variables)
        self.nesting = 0
        self.guarded = False
        self.labels: dict[Block, int] = {}
        self.deaths: dict[Operation, set[Value]] = {}
        self.live_before: dict[Operation, set[Value]] = {}

    # Functions

    def code(self) -> list[ast.stmt]:
        """The body of a function whose parameters have been given their names (``name`` of the entry's arguments)."""
        blocks = self.liveness.blocks
        for block in blocks:
            self._lifetimes(block)
            for op in block.ops:
                if op.has_trait(Trait.CONSTANT):
                    self.table[type(op)].emit(op, self)
        self._choose_labels(blocks)
        self.guarded = bool(self.labels) and any(op.unwind is not None for block in blocks for op in block.ops)
        entry = self.region.entry
        bodies = {0: self._arm(lambda: self._start(entry))}
        while todo := [(n, b) for b, n in self.labels.items() if n not in bodies]:
            for number, block in todo:
                bodies[number] = self._arm(lambda block=block: self._start(block))  # type: ignore[misc]
        if not self.labels:
            return bodies[0]
        loop = ast.While(ast.Constant(True), _decide(sorted(bodies.items())), [])
        return [assign([store("%b")], ast.Constant(0)), *(guarded(loop, self.object) if self.guarded else [loop])]

    def constants(self, consts: tuple[Any, ...]) -> tuple[Any, ...]:
        """``co_consts`` with the objects in place of their markers."""
        things = dict(self.objects.values())

        def put(const: Any) -> Any:
            if type(const) is tuple:
                return tuple(map(put, const))
            return things.get(const, const) if is_marker(const) else const

        return tuple(map(put, consts))

    def _share_names(self, variables: frozenset[str]) -> None:
        """Values that hint at one of ``variables`` are held by a variable of that name, unless two are alive at
        once.
        """
        clashes = self.liveness.clashes(variables)
        groups: dict[str, list[Value]] = {}
        for value, others in clashes.items():
            group = groups.setdefault(value.hint, [])
            if value in self.names or others.isdisjoint(group):
                self.names.setdefault(value, value.hint)
                group.append(value)

    def _lifetimes(self, block: Block) -> None:
        for op, live, deaths in self.liveness.backwards(block):
            unbinds = self.table[type(op)].unbinds
            self.deaths[op] = {v for v in deaths if unbinds or not self._bound(v)}
            if op.unwind is not None:
                self.live_before[op] = live.difference(op.results) | self.liveness.needed(op)

    def _bound(self, value: Value) -> bool:
        """Whether a variable holds ``value``: where nothing unbinds it, the frame keeps it, as after an exception."""
        return any(isinstance(use.user, Operation) and self.table[type(use.user)].unbinds for use in value.uses)

    def _needed_in(self, block: Block) -> set[Value]:
        return self.liveness.live_in[block].union(block.args)

    def _dying(self, block: Block, passed: Sequence[Value], before: set[Value]) -> set[Value]:
        """What need not live on in ``block``; a variable's value only where the edge hands it on."""
        dead = before - self.liveness.live_in[block]
        return {v for v in dead if v in passed or not self._bound(v)}

    def _choose_labels(self, blocks: list[Block]) -> None:
        ways: dict[Block, int] = {}
        for block in blocks:
            for op in block.ops:
                for edge in op.successors:
                    ways[edge.block] = ways.get(edge.block, 0) + 1
                if op.unwind is not None:
                    ways[op.unwind.block] = ways.get(op.unwind.block, 0) + 2
        for block in blocks:
            if ways.get(block, 0) > (block is not self.region.entry):
                self._label(block)

    def _label(self, block: Block) -> None:
        """From now on ``block`` is reached through ``%b``; the entry is number 0."""
        if block is self.region.entry:
            self.labels[block] = 0
        else:
            self.labels[block] = len(self.labels) + (self.region.entry not in self.labels)

    def live_at(self, op: Operation) -> set[Value]:
        """The values needed by ``op`` or after it."""
        assert op.parent is not None
        for at, live, _ in self.liveness.backwards(op.parent):
            if at is op:
                return live.difference(op.results) | self.liveness.needed(op)
        raise AssertionError("an operation outside its block")

    def _arm(self, emit: Callable[[], None]) -> list[ast.stmt]:
        """What ``emit`` produces, as a list of its own."""
        saved, self.out = self.out, []
        self.nesting += 1
        emit()
        self._close()
        self.nesting -= 1
        arm, self.out = self.out, saved
        return arm

    # Blocks and operations

    def _start(self, block: Block) -> None:
        """A block that is entered through the loop, where an exception may have struck on the way."""
        if self.guarded:
            first = next((op for op in block.ops if op.has_trait(Trait.RAISES)), None)
            edge = first.unwind if first is not None else None
            if edge is not None and not any(isinstance(v, OpResult) and v.op.parent is block for v in edge.operands):
                assert first is not None
                self.span = first.span or self.span
                self._add(strike(), (edge.block, tuple(edge.operands)), self.live_before[first])
            elif block in self.labels:
                self._add(strike(), None)
        self._block(block)

    def _block(self, block: Block) -> None:
        for op in block.ops:
            if op.has_trait(Trait.CONSTANT):
                continue
            if op.span is not None:
                self.span = op.span
            if op.successors:
                self._branch(op)
            else:
                self._operation(op)

    def _operation(self, op: Operation) -> None:
        reference = self.table[type(op)]
        own: Key | Anywhere = ANYWHERE
        touched: set[Value] = set()
        if op.has_trait(Trait.RAISES):
            own = None
            if op.unwind is not None:
                own = (op.unwind.block, tuple(op.unwind.operands))
                touched |= self.live_before[op]
        parts = self._take(reference.order(op), own, reference.named)
        self.nested = {p.value: p.expr for p in parts}
        meaning = reference.emit(op, self)
        key = next((p.key for p in parts if p.key is not ANYWHERE), own)
        kills = self.deaths[op].union(*(p.kills for p in parts))
        touched = touched.union(*(p.touched for p in parts))
        if isinstance(meaning, list):
            self._flush()
            for statement in meaning:
                self._add(statement, key, touched)
            if not op.has_trait(Trait.TERMINATOR):
                self._kill(kills, op.results)
            return
        index, expr = meaning if isinstance(meaning, tuple) else (0, meaning)
        locate(expr, self.span)
        entry = Pending(op.results[index], expr, key, kills, touched)
        if not _nestable(op, op.results[index]):
            self._flush()
            self._settle(entry)
        else:
            self.pending.append(entry)

    # Edges

    def _leave(self, group: Try) -> list[ast.stmt]:
        block, args = group.key
        pairs = [(block.args[0], load("%e")), *zip(block.args[1:], map(self.value, args), strict=True)]

        def leave() -> None:
            self._move(pairs)
            self._kill(self._dying(block, args, group.touched), self._needed_in(block))
            self._jump(block)

        return self._arm(leave)

    def _branch(self, op: Operation) -> None:
        before = self.liveness.needed(op)
        if len(op.successors) == 1:
            edge = op.successors[0]
            self._goto(edge, before, self._take(edge.operands, ANYWHERE))
            return
        parts = self._take(op.operands, None)
        if any(p.key not in (None, ANYWHERE) for p in parts):
            self.pending += parts
            parts = []
        self._flush()
        self._close()
        self.nested = {p.value: p.expr for p in parts}
        meaning = self.table[type(op)].emit(op, self)
        assert isinstance(meaning, ast.expr)
        tested: set[Value] = set().union(*(p.kills for p in parts))
        span = self.span
        arms = []
        for edge in op.successors:
            arms.append(self._arm(lambda edge=edge: self._goto(edge, before | tested, [])))  # type: ignore[misc]
            self.span = span
        choice = ast.If(meaning, *arms)
        locate(choice, span)
        self.out.append(choice)

    def _goto(self, edge: Successor, before: set[Value], parts: list[Pending]) -> None:
        """Move the edge's operands to the block's arguments, let go of what it does not need, and go on there."""
        self._flush()
        self.nested = {p.value: p.expr for p in parts}
        self._move([(a, self.value(v)) for a, v in zip(edge.block.args, edge.operands, strict=True)], parts)
        kills = self._dying(edge.block, edge.operands, before.union(*(p.kills for p in parts)))
        self._kill(kills, self._needed_in(edge.block))
        if edge.block not in self.labels and self.nesting >= MAX_NESTING:
            self._label(edge.block)
        if edge.block in self.labels:
            self._jump(edge.block)
        else:
            self._block(edge.block)

    def _move(self, pairs: Sequence[tuple[Value, ast.expr]], parts: Sequence[Pending] = ()) -> None:
        """Store to block arguments, all at once; unused ones are evaluated only where that can be noticed."""
        pairs = [(a, e) for a, e in pairs if a.uses or not isinstance(e, ast.Name | ast.Constant)]
        pairs = [(a, e) for a, e in pairs if not (isinstance(e, ast.Name) and e.id == self.name(a))]
        if not pairs:
            return
        targets = [self.store(a) for a, _ in pairs]
        if len(pairs) == 1:
            statement = assign(targets, pairs[0][1])
        else:
            statement = assign([ast.Tuple(targets, ast.Store())], ast.Tuple([e for _, e in pairs], ast.Load()))
        key = next((p.key for p in parts if p.key is not ANYWHERE), ANYWHERE)
        touched: set[Value] = set().union(*(p.touched for p in parts))
        self._add(statement, key, touched)

    def _jump(self, block: Block) -> None:
        self._add(assign([store("%b")], ast.Constant(self.labels[block])), ANYWHERE)
        self._close()
        self._add(ast.Continue(), ANYWHERE)


def _nestable(op: Operation, value: Value) -> bool:
    """Used once, in the same block, by an operation or by the only edge at the block's end."""
    if len(value.uses) != 1:
        return False
    user = next(iter(value.uses)).user
    if isinstance(user, Successor):
        end = user.op
        return end is not None and end.parent is op.parent and end.unwind is not user and len(end.successors) == 1
    return isinstance(user, Operation) and user.parent is op.parent


def _decide(bodies: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """Choose the body whose number ``%b`` holds, by halving."""
    if len(bodies) == 1:
        return bodies[0][1]
    middle = len(bodies) // 2
    test = ast.Compare(load("%b"), [ast.Lt()], [ast.Constant(bodies[middle][0])])
    return [ast.If(test, _decide(bodies[:middle]), _decide(bodies[middle:]))]
