"""Abstract interpretation of one function: facts of all its values under given facts of its parameters.

Sparse and conditional: a block is evaluated once an edge to it can be taken, and again only where a fact it uses has
grown. Facts grow
until nothing changes (block arguments of loops are widened), then two descending passes take back what widening
overshot. Branch
conditions narrow facts in the blocks they lead to (``narrowing``). What globals hold is followed from store to load.

The engine is the environment that transfer functions see: ``fact``, ``note``, ``call`` through ``module``.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from ppy_compiler.dialects.cf import Br, CondBr, Unreachable
from ppy_compiler.dialects.py.functions import Func, Return
from ppy_compiler.dialects.py.names import Drop
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.cfg import MEMORY_OPS, WORD_THRESHOLDS, Shape, shape_of
from ppy_compiler.infer.facts import NEVER, Fact, replace
from ppy_compiler.infer.growth import Growth, grow, with_growth
from ppy_compiler.infer.lattice import join, one_word, widen
from ppy_compiler.infer.memory import Cells, forget, join_cells, narrowed_cells
from ppy_compiler.infer.narrowing import condition_edges
from ppy_compiler.infer.results import CallTarget, Effects, FunctionFacts, PluggedOperation
from ppy_compiler.infer.transfer import transfer_table
from ppy_compiler.infer.transfer.exceptions import EXCEPTION
from ppy_compiler.ir import Block, BlockArgument, Operation, Successor, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.module import ModuleAnalysis

NO_CELLS: Cells = {}
NOTHING: dict[Value, Fact] = {}
WIDEN_AFTER = 1
CONSTANT_STEPS = 2
"""How often a loop variable grows by steps, and then by the function's constants, before it grows to the word."""


ENDS = frozenset((Br, CondBr, Unreachable, Return))
"""Terminators whose whole meaning is their edges."""


class FunctionAnalysis:
    """The state of the analysis of one version (``key``) of a function; ``run`` starts afresh."""

    def __init__(self, module: ModuleAnalysis, func: Func, key: str) -> None:
        self.module = module
        self.func = func
        self.key = key
        self.shape: Shape = shape_of(func)
        self.table = transfer_table()
        self.lazy = not self.shape.remembering
        """Whether the release of locals, which may run finalizers, matters to no other operation."""
        self.reset()

    def reset(self) -> None:
        self.facts: dict[Value, Fact] = {}
        self.notes: dict[Operation, str] = {}
        self.calls: dict[Operation, CallTarget] = {}
        self.plugged: dict[Operation, PluggedOperation] = {}
        self.op_effects: dict[Operation, int] = {}
        self.reachable: set[Block] = set()
        self.edge_args: dict[Successor, list[Fact]] = {}
        self.edge_cells: dict[Successor, Cells] = {}
        self.cells_in: dict[Block, Cells] = {}
        self.cells: Cells = {}
        self.own: dict[Block, dict[Value, Fact]] = {}
        self.environments: dict[Block, dict[Value, Fact]] = {}
        self.environment: dict[Value, Fact] = {}
        self.watchers: dict[Value, set[Operation]] = {}
        self.returned: dict[Operation, Fact] = {}
        self.dirty: set[Operation] = set()
        self.halted: dict[Block, Operation] = {}
        self.queue: list[int] = []
        self.queued: set[Block] = set()
        self.growth: dict[object, int] = {}
        self.waiting: list[Operation] = []
        self.settled = False
        self.grown: dict[Operation, Growth] = {}
        self.widened = False
        self.ascending = True

    # ---- the environment of transfer functions

    def fact(self, value: Value) -> Fact:
        """The fact of ``value`` where the operation being evaluated stands."""
        found = self.environment.get(value)
        return found if found is not None else self.facts.get(value, NEVER)

    def note(self, op: Operation, code: str) -> None:
        """``op`` stays general for the reason ``code``."""
        self.notes[op] = code

    def watch(self, value: Value, op: Operation) -> None:
        """Evaluate ``op`` again when the fact of ``value`` changes, though it does not use it directly."""
        self.watchers.setdefault(value, set()).add(op)

    def grow(self, holder: Value, element: Fact, value: Fact = NEVER) -> None:
        """``element`` (for a dict: a key, with its ``value``) is put into the container ``holder``."""
        grow(self, holder, element, value)

    def waits(self, op: Operation) -> bool:
        """Whether ``op``, a load from a container of which nothing is known to be in it, may wait for what is put in;
        once
        everything else is settled it may not."""
        if not self.settled:
            self.waiting.append(op)
        return not self.settled

    def revisit(self, op: Operation) -> None:
        """Evaluate ``op`` again."""
        self.dirty.add(op)
        if op.parent is not None:
            self._push(op.parent)

    # ---- running

    def run(self, params: tuple[Fact, ...], cells: Cells) -> None:
        """Analyse from scratch with ``params`` for the entry's arguments and ``cells`` known of globals at the
        start."""
        self.reset()
        entry = self.func.body.entry
        for arg, fact in zip(entry.args, params, strict=True):
            self.facts[arg] = fact
        self.cells_in[entry] = dict(cells)
        self._reach(entry)
        self._ascend()
        self.settled = True
        for op in self.waiting:
            self.revisit(op)
        self._ascend()
        self.ascending = False
        if self.shape.headers:
            self._descend()
        if self.lazy:
            self._look_at_drops()

    def _ascend(self) -> None:
        while self.queue:
            block = self.shape.order[heappop(self.queue)]
            self.queued.discard(block)
            self._evaluate(block)

    def _descend(self) -> None:
        for block in self.shape.order:
            if block not in self.reachable:
                continue
            if block is not self.shape.order[0]:
                self._rejoin(block)
            if not self.dirty.isdisjoint(block.ops) or block in self.shape.remembering or self.cells_in.get(block):
                self._evaluate(block)

    def _rejoin(self, block: Block) -> None:
        edges = [edge for edge in self.shape.incoming[block] if edge in self.edge_args]
        for position, arg in enumerate(block.args):
            fact = NEVER
            for edge in edges:
                fact = join(fact, self.edge_args[edge][position])
            fact = one_word(fact)
            if fact != self.facts.get(arg):
                self.facts[arg] = fact
                self._changed(arg)
        cells: Cells | None = None
        for edge in edges:
            cells = self.edge_cells[edge] if cells is None else join_cells(cells, self.edge_cells[edge])
        self.cells_in[block] = cells or {}

    def _reach(self, block: Block) -> None:
        self.reachable.add(block)
        self.dirty.update(block.ops)
        self._push(block)

    def _push(self, block: Block) -> None:
        if self.ascending and block in self.reachable and block not in self.queued:
            self.queued.add(block)
            heappush(self.queue, self.shape.index[block])

    def _evaluate(self, block: Block) -> None:
        """Evaluate the operations of ``block`` whose operands changed, and what depends on the state of globals
        there."""
        self.environment = self._environment(block)
        self.cells = dict(self.cells_in.get(block, NO_CELLS))
        everything = bool(self.cells) or block in self.shape.remembering
        dirty, halted, lazy = self.dirty, self.halted.pop(block, None), self.lazy
        fresh = False
        for op in block.ops:
            fresh = op in dirty
            if fresh or (everything and type(op) in MEMORY_OPS):
                dirty.discard(op)
                kind = type(op)
                if kind is Drop and lazy:
                    continue
                effect = fx.QUIET if kind in ENDS else self._transfer(op)
            elif everything:
                effect = self.op_effects.get(op, fx.QUIET)
            elif op is halted:
                self.halted[block] = op
                return
            else:
                continue
            if effect & (fx.FOREIGN | fx.GLOBALS) and self.cells:
                forget(self.cells, op, effect, self.module.private_globals(self.func))
            if op.unwind is not None and effect & fx.RAISES:
                self._edge(op.unwind, NOTHING, True)
            if op.results and not self.facts[op.results[0]].types:
                self.halted[block] = op
                return
        if fresh or everything:
            self._leave(block.ops[-1])

    def _look_at_drops(self) -> None:
        """The effects of letting locals go, once their facts are settled: nothing else here depends on them."""
        for block in self.reachable:
            drops = [op for op in block.ops if type(op) is Drop]
            if drops:
                self.environment = self._environment(block)
                for op in drops:
                    self._transfer(op)

    def _transfer(self, op: Operation) -> int:
        self.notes.pop(op, None)
        results, effect = self.table[type(op)](op, self)
        self.op_effects[op] = effect
        if op in self.grown:
            results = (with_growth(results[0], self.grown[op]), *results[1:])
        for value, fact in zip(op.results, results, strict=True):
            self._assign(value, fact)
        return effect

    def _leave(self, op: Operation) -> None:
        if isinstance(op, Return):
            self.returned[op] = self.fact(op.value).plain()
            return
        held = self.cells
        for successor, narrowings in condition_edges(op, self):
            if held and narrowings:
                self.cells = narrowed_cells(op, held, narrowings, self.op_effects)
            self._edge(successor, narrowings, False)
            self.cells = held

    def _assign(self, value: Value, fact: Fact) -> None:
        # Results follow from operands: they need no joining, cycles go through block arguments.
        old = self.facts.get(value)
        if old is fact or old == fact:
            return
        self.facts[value] = fact
        self._changed(value)

    def _changed(self, value: Value) -> None:
        for use in value.uses:
            user = use.user
            op = user.op if isinstance(user, Successor) else user
            if isinstance(op, Operation) and op.parent is not None and not (type(op) is Drop and self.lazy):
                self.dirty.add(op)
                self._push(op.parent)
        for op in self.watchers.get(value, ()):
            self.revisit(op)

    def _edge(self, edge: Successor, narrowings: dict[Value, Fact], unwinding: bool) -> None:
        target = edge.block
        facts = [EXCEPTION] if unwinding else []
        for operand in edge.operands:
            found = narrowings.get(operand)
            facts.append((found if found is not None else self.fact(operand)).plain())
        self.edge_args[edge] = facts
        self.edge_cells[edge] = dict(self.cells)
        first = target not in self.reachable
        if len(self.shape.incoming[target]) == 1:
            self._narrow(target, narrowings, first)
        if self.ascending:
            for arg, fact in zip(target.args, facts, strict=True):
                self._merge(arg, fact)
            self._merge_cells(target)
        if first:
            self._reach(target)

    def _merge(self, arg: BlockArgument, fact: Fact) -> None:
        old = self.facts.get(arg)
        if old is None:
            self.facts[arg] = fact
            self._changed(arg)
            return
        new = one_word(join(old, fact))
        if new == old:
            return
        if arg.block in self.shape.headers:
            new = one_word(self._widened(arg, old, new))
        self.facts[arg] = new
        self._changed(arg)

    def _merge_cells(self, target: Block) -> None:
        old = self.cells_in.get(target)
        if old is None:
            self.cells_in[target] = dict(self.cells)
            return
        new = join_cells(old, self.cells)
        if new == old:
            return
        if target in self.shape.headers:
            new = {
                name: fact if fact is old[name] else self._widened((target, name), old[name], fact)
                for name, fact in new.items()
            }
        self.cells_in[target] = new
        self._push(target)

    def _widened(self, key: object, old: Fact, new: Fact) -> Fact:
        """``new``, grown once more at a loop's header: soon to the next constant of the function, then to the word."""
        if new == old:
            return new
        count = self.growth[key] = self.growth.get(key, 0) + 1
        if count <= WIDEN_AFTER:
            return new
        self.widened = True
        return widen(old, new, self.shape.thresholds if count <= WIDEN_AFTER + CONSTANT_STEPS else WORD_THRESHOLDS)

    def _narrow(self, target: Block, narrowings: dict[Value, Fact], first: bool) -> None:
        if first:
            # Nothing that ``target`` dominates was looked at yet.
            self.own[target] = narrowings
            return
        old = self.own.get(target, {})
        if old == narrowings:
            return
        self.own[target] = narrowings
        stack = [target]
        while stack:
            block = stack.pop()
            if self.environments.pop(block, None) is not None:
                stack.extend(self.shape.children[block])
        for value in {*old, *narrowings}:
            if old.get(value) != narrowings.get(value):
                self._changed(value)

    def _environment(self, block: Block) -> dict[Value, Fact]:
        """What branches on the way to ``block`` prove."""
        chain = []
        at: Block | None = block
        while at is not None and at not in self.environments:
            chain.append(at)
            at = self.shape.parent.get(at)
        found = self.environments[at] if at is not None else {}
        for at in reversed(chain):
            own = self.own.get(at)
            if own:
                found = {**found, **own}
            self.environments[at] = found
        return found

    # ---- results

    def returns(self) -> Fact:
        found = NEVER
        for fact in self.returned.values():
            found = join(found, fact)
        return found

    def effects(self) -> int:
        bits = fx.ENDLESS if self.shape.headers else fx.QUIET
        for block in self.reachable:
            for op in block.ops:
                effect = self.op_effects.get(op, fx.QUIET)
                if op.unwind is not None:
                    effect &= ~fx.RAISES
                bits |= effect
        return bits

    def result(
        self, params: tuple[Fact, ...], returns: Fact, effects: int, demanded: dict[Value, int]
    ) -> FunctionFacts:
        """The frozen view for the stages above."""
        values = {
            value: replace(fact, demanded_bits=demanded[value]) if value in demanded else fact
            for value, fact in self.facts.items()
        }
        return FunctionFacts(
            self.func.sym,
            self.func,
            values,
            params,
            returns,
            Effects(effects),
            dict(self.calls),
            frozenset(self.reachable),
            dict(self.notes),
            {**self.op_effects, **{block.ops[-1]: fx.QUIET for block in self.reachable if type(block.ops[-1]) in ENDS}},
            {block: self._environment(block) for block in self.reachable},
            dict(self.cells_in),
            demanded,
            dict(self.plugged),
        )
