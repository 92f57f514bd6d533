"""Running passes in a checked order, with the verifier around them.

Takes a sequence of pass names, a table of passes and a table of orderings; guarantees that no pass runs before one
it needs, and that a pass which leaves broken IR is named, with its owner and the first broken rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ppy_compiler.ir.core import Operation
from ppy_compiler.ir.traits import Trait
from ppy_compiler.ir.verifier import Problem, find_problems


@dataclass(frozen=True, slots=True)
class Pass:
    """One transformation.

    ``run`` is given the module, or each function of it where ``each_function`` is set; ``owner`` is who brings it.
    """

    name: str
    run: Callable[[Operation], object]
    summary: str
    each_function: bool = False
    owner: str = "ppy"

    def apply(self, module: Operation) -> None:
        if not self.each_function:
            self.run(module)
            return
        for region in module.regions:
            for block in region.blocks:
                for op in list(block.ops):
                    if op.has_trait(Trait.SYMBOL) and op.regions and op.regions[0].blocks:
                        self.run(op)


@dataclass(frozen=True, slots=True)
class Ordering:
    """``earlier`` comes before ``later`` wherever both run."""

    earlier: str
    later: str
    because: str


class WrongOrder(ValueError):
    """A sequence of passes that breaks an ordering, or names a pass that does not exist."""


class BrokenPass(Exception):
    """A pass left IR that is not well formed, or failed (diagnostic E1902)."""

    code = "E1902"

    def __init__(self, broken: Pass | None, problem: Problem | str) -> None:
        self.pass_name = broken.name if broken else "(before the first pass)"
        self.owner = broken.owner if broken else "ppy"
        self.problem = str(problem)
        super().__init__(f"the pass `{self.pass_name}` of `{self.owner}` left invalid IR: {self.problem}")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Passes in their order."""

    passes: tuple[Pass, ...]

    def run(self, module: Operation, verify_each: bool = False) -> None:
        """Run all passes; the verifier looks before the first and after the last, or after each."""
        _check(None, module)
        last = self.passes[-1] if self.passes else None
        for one in self.passes:
            run_pass(one, module, verify=verify_each or one is last)


def run_pass(one: Pass, module: Operation, verify: bool = True) -> None:
    """Run one pass and, unless told otherwise, look at what it left."""
    try:
        one.apply(module)
    except Exception as error:
        raise BrokenPass(one, f"{type(error).__name__}: {error}") from error
    if verify:
        _check(one, module)


def _check(after: Pass | None, module: Operation) -> None:
    problem = next(find_problems(module), None)
    if problem is not None:
        raise BrokenPass(after, problem)


def pipeline(names: Sequence[str], passes: Mapping[str, Pass], order: Iterable[Ordering] = ()) -> Pipeline:
    """The pipeline of ``names``; ``WrongOrder`` says which ordering it breaks and why that holds."""
    unknown = [name for name in names if name not in passes]
    if unknown:
        raise WrongOrder(f"there is no pass {unknown[0]!r}")
    for rule in order:
        if rule.earlier in names and rule.later in names and names.index(rule.earlier) > names.index(rule.later):
            raise WrongOrder(f"{rule.earlier} must come before {rule.later}: {rule.because}")
    return Pipeline(tuple(passes[name] for name in names))
