"""How long an iteration takes, roughly: what decides from how many turns on threads are worth their start."""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.py import operators
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.infer.facts import NEVER
from ppy_compiler.infer.parallel.bodies import QUIET_MATH, callee_blocks
from ppy_compiler.infer.parallel.nest import Nest
from ppy_compiler.infer.results import FunctionFacts
from ppy_compiler.ir import Block, Operation

COSTS = {"/": 5, "//": 8, "%": 8, "**": 20}
CALL_COST = 3
MATH_COST = 15
TURNS = 8
"""Turns that an inner loop is taken to have of which nothing is known."""
MOST_TURNS = 256
MOST = 10**6


class Costs:
    """Estimated nanoseconds. ``functions``: the versions of all functions of the module, by key."""

    def __init__(self, functions: Mapping[str, FunctionFacts]) -> None:
        self.functions = functions
        self._callees: dict[str, int] = {}

    def of(self, facts: FunctionFacts, blocks: tuple[Block, ...], nest: Nest, around: Block | None) -> int:
        """Passing ``blocks`` once; ``around`` is the head of the loop whose body they are, if it is one."""
        outer = nest.around(around) if around is not None else frozenset()
        total = 0
        for block in blocks:
            turns = 1
            for header in nest.around(block) - outer:
                turns *= _turns(header, nest, facts)
            total += turns * sum(self._operation(op, facts) for op in block.ops)
        return min(total, MOST)

    def _operation(self, op: Operation, facts: FunctionFacts) -> int:
        if isinstance(op, operators.Binary):
            return COSTS.get(op.kind, 1)
        if not isinstance(op, Call):
            return int(isinstance(op, operators.Compare | operators.Unary))
        target = facts.calls[op]
        if target.kind != "function":
            return MATH_COST if target.name in QUIET_MATH else CALL_COST
        return CALL_COST + self._callee(self.functions[target.version])

    def _callee(self, callee: FunctionFacts) -> int:
        if callee.key not in self._callees:
            self._callees[callee.key] = TURNS  # of a recursive call
            nest = Nest(callee.func.body, callee.reachable)
            self._callees[callee.key] = self.of(callee, callee_blocks(callee), nest, None)
        return self._callees[callee.key]


def _turns(header: Block, nest: Nest, facts: FunctionFacts) -> int:
    """How often a loop is expected to turn: as often as its bounds say, where they are known."""
    begin = nest.begins.get(header)
    if begin is None:
        return TURNS
    start, stop, step = (facts.values.get(value, NEVER) for value in (begin.current, begin.stop, begin.step))
    if start.lo is None or stop.hi is None or step.lo != 1 or step.hi != 1:
        return TURNS
    most = max(stop.hi - start.lo, 0)
    exact = start.lo == start.hi and stop.lo == stop.hi
    return min(most, MOST_TURNS if exact else TURNS)
