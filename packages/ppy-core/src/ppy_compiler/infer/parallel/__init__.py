"""Which ``range`` loops of a function may run on threads, and why the others may not.

Takes the facts of a function and of those that it calls; gives, for each outermost loop, what lowering needs in order
to run it in chunks (:class:`ParallelLoop`) or the first thing in the way (:class:`Refusal`). An eligible loop leaves
nothing behind but the values of a few variables: its chunks can be computed anywhere, in any order, and thrown away.
So a chunk that meets anything unforeseen gives up, and the loop runs again as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppy_compiler.infer.parallel.bodies import Bodies
from ppy_compiler.infer.parallel.carried import carried
from ppy_compiler.infer.parallel.costs import Costs
from ppy_compiler.infer.parallel.model import Kept, ParallelLoop, RangeLoop, Reduction, Refusal
from ppy_compiler.infer.parallel.nest import Nest
from ppy_compiler.infer.results import FunctionFacts, ModuleFacts

__all__ = ["Kept", "Outcome", "ParallelLoop", "RangeLoop", "Reduction", "Refusal", "decide", "is_parallel"]

Outcome = tuple[RangeLoop, ParallelLoop | Refusal]


def is_parallel(facts: FunctionFacts) -> bool:
    """Whether the function carries ``@ppy.parallel``."""
    return any(name == "parallel" for name, _ in facts.func.directives)


def decide(facts: FunctionFacts, module: ModuleFacts) -> list[Outcome]:
    """The outermost loops of a ``@ppy.parallel`` function, and those inside loops that are not eligible."""
    nest = Nest(facts.func.body, facts.reachable)
    functions = {version.key: version for sym in module.functions for version in module.versions(sym)}
    return list(_decide(nest.outermost, nest, facts, Bodies(functions)))


def _decide(
    loops: list[RangeLoop], nest: Nest, facts: FunctionFacts, bodies: Bodies
) -> Iterator[Outcome]:
    for loop in loops:
        outcome = _eligible(loop, nest, facts, bodies)
        yield loop, outcome
        if isinstance(outcome, Refusal):
            yield from _decide(nest.inside(loop), nest, facts, bodies)


def _eligible(loop: RangeLoop, nest: Nest, facts: FunctionFacts, bodies: Bodies) -> ParallelLoop | Refusal:
    found = nest.shape_refusal(loop) or bodies.bounds_refusal(loop, facts) or bodies.refusal(facts, loop.running)
    if found is not None:
        return found
    variables = carried(loop, facts)
    if isinstance(variables, Refusal):
        return variables
    cost = Costs(bodies.functions).of(facts, loop.running, nest, loop.header)
    return ParallelLoop(loop, *variables, cost)
