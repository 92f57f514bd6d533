"""Variables that live around the loop: reductions, and what each iteration sets anew."""

from __future__ import annotations

from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.names import Drop
from ppy_compiler.dialects.py.operators import Binary
from ppy_compiler.infer import atoms
from ppy_compiler.infer.facts import NEVER
from ppy_compiler.infer.parallel.bodies import unboxed
from ppy_compiler.infer.parallel.model import Kept, RangeLoop, Reduction, Refusal
from ppy_compiler.infer.results import FunctionFacts
from ppy_compiler.ir import Block, BlockArgument, Operation, Value

GROUPS = {"+": "+", "-": "+", "*": "*", "&": "&", "|": "|", "^": "^"}
MODELS = {"builtins.min": "min", "builtins.max": "max"}
ONE_TYPE = "give it one type, before the loop, too"
ALLOWED = "let iterations take values into it with one of `+= -= *= &= |= ^=`, `min` or `max`, and not read it"


class _Flow:
    """Where values go: to operations, and along edges into arguments of blocks; ``unwinding``: of any block, by
    exceptions, too."""

    def __init__(self, blocks: tuple[Block, ...] | list[Block], unwinding: bool) -> None:
        self.blocks = frozenset(blocks)
        self.users: dict[Value, list[Operation]] = {}
        self.passed: dict[Value, list[BlockArgument]] = {}
        self.incoming: dict[BlockArgument, list[Value]] = {}
        for block in blocks:
            for op in block.ops:
                if not isinstance(op, Drop):
                    for operand in op.operands:
                        self.users.setdefault(operand, []).append(op)
                for edge in op.edges() if unwinding else op.successors:
                    if not unwinding and edge.block not in self.blocks:
                        continue
                    for arg, value in zip(edge.block.args[edge is op.unwind :], edge.operands, strict=True):
                        self.passed.setdefault(value, []).append(arg)
                        self.incoming.setdefault(arg, []).append(value)

    def observed(self, value: Value) -> bool:
        """Whether any operation uses what ``value`` holds."""
        seen, work = {value}, [value]
        while work:
            here = work.pop()
            if self.users.get(here):
                return True
            for arg in self.passed.get(here, ()):
                if arg not in seen:
                    seen.add(arg)
                    work.append(arg)
        return False


def carried(loop: RangeLoop, facts: FunctionFacts) -> tuple[tuple[Reduction, ...], tuple[Kept, ...]] | Refusal:
    """The variables of ``loop``, each classified, or the one that makes iterations depend on earlier ones."""
    everywhere = _Flow(facts.func.body.blocks, unwinding=True)
    inside = _Flow(loop.running, unwinding=False)
    reductions: list[Reduction] = []
    kept: list[Kept] = []
    for arg in loop.header.args:
        back = inside.incoming.get(arg, [])
        if arg is loop.next.current or not everywhere.observed(arg):
            continue
        if not unboxed(facts.values.get(arg, NEVER)):
            return Refusal(f"`{_name(arg)}` is not always a number of one type", ONE_TYPE)
        if all(value is arg for value in back):
            continue
        found = _Variable(arg, back, loop, facts, inside).classify()
        if isinstance(found, Refusal):
            return found
        if isinstance(found, Reduction):
            reductions.append(found)
        else:
            kept.append(found)
    return tuple(reductions), tuple(kept)


def _name(arg: BlockArgument) -> str:
    return arg.hint.partition(".")[0] or "a variable"


class _Variable:
    """One variable: ``web`` grows to all values that it may have before the iteration ends."""

    def __init__(
        self, arg: BlockArgument, back: list[Value], loop: RangeLoop, facts: FunctionFacts, flow: _Flow
    ) -> None:
        self.arg, self.back, self.loop, self.facts, self.flow = arg, back, loop, facts, flow
        self.web: set[Value] = {arg}
        self.operations: list[Operation] = []
        self.kinds: set[str] = set()

    def classify(self) -> Reduction | Kept | Refusal:
        refusal = self._grow()
        if refusal is not None:
            return refusal
        if not self.operations and not any(value in self.web for value in self.back):
            return self._kept()
        return self._reduction()

    def _grow(self) -> Refusal | None:
        work: list[Value] = [self.arg]
        while work:
            value = work.pop()
            for op in self.flow.users.get(value, ()):
                kind = self._taken(op, value)
                if not kind:
                    return Refusal(f"it reads `{_name(self.arg)}`, which an earlier iteration left", ALLOWED, op)
                self.kinds.add(kind)
                self.operations.append(op)
                self._add(op.results[0], work)
            for arg in self.flow.passed.get(value, ()):
                if arg in self.loop.header.args and arg is not self.arg:
                    return self._dependent()
                if arg.block in self.loop.blocks:
                    self._add(arg, work)
        return None

    def _add(self, value: Value, work: list[Value]) -> None:
        if value not in self.web:
            self.web.add(value)
            work.append(value)

    def _taken(self, op: Operation, value: Value) -> str:
        """The kind of reduction in which ``op`` takes another value into ``value``, or nothing."""
        if isinstance(op, Binary):
            only_left = op.kind != "-" or op.lhs is value
            return GROUPS.get(op.kind, "") if only_left and op.lhs is not op.rhs else ""
        target = self.facts.calls.get(op) if isinstance(op, Call) else None
        if target is None or target.kind != "model" or len(op.operands) != 3 or op.operands[1] is op.operands[2]:
            return ""
        return MODELS.get(target.name, "")

    def _dependent(self) -> Refusal:
        return Refusal(f"`{_name(self.arg)}` goes from one iteration to the next", ALLOWED)

    def _kept(self) -> Kept | Refusal:
        kind = unboxed(self.facts.values[self.arg])
        for value in self.back:
            fact = self.facts.values.get(value, NEVER)
            if unboxed(fact) != kind or fact.types & atoms.NULL:
                return Refusal(f"an iteration may leave `{_name(self.arg)}` unset", "set it in every iteration")
        return Kept(self.arg)

    def _reduction(self) -> Reduction | Refusal:
        joined = [arg for arg in self.web if isinstance(arg, BlockArgument) and arg is not self.arg]
        whole = all(value in self.web for arg in joined for value in self.flow.incoming.get(arg, ()))
        if not whole or len(self.kinds) != 1 or not all(value in self.web for value in self.back):
            return self._dependent()
        if any(sum(value in self.web for value in op.operands) != 1 for op in self.operations):
            return self._dependent()
        types = {unboxed(self.facts.values.get(value, NEVER)) for value in self.web}
        signed = all(self.facts.values[value].signed for value in self.web)
        kind = next(iter(self.kinds))
        if len(types) != 1 or not (types == {atoms.FLOAT} or signed) or (types == {atoms.BOOL} and kind not in "&|^"):
            return Refusal(f"`{_name(self.arg)}` is not always a number of one type", ONE_TYPE)
        is_float = types == {atoms.FLOAT}
        if is_float and all(name != "fastmath" for name, _ in self.facts.func.directives):
            return Refusal(
                f"`{_name(self.arg)}` is a sum of floats, and their order is part of the result",
                "add `@ppy.fastmath` if any order will do",
            )
        return Reduction(self.arg, kind, is_float, frozenset(self.operations))
