"""The loops of a function, and which of them are worth the optimiser's time.

A loop is *numeric* when nothing in it runs Python code: its turns are a few machine instructions, so inlining,
vectors and a way back from the twin
pay. In any other loop the calls into the interpreter are what a turn costs.

A loop inside another that takes but a few turns has no way back of its own: the twin soon reaches the outer one's head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppy_compiler.dialects.py.loops import Poll, RangeNext
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Block, BlockArgument, Operation, OpResult, Region, Value
from ppy_compiler.support.graphs import dominators, natural_loop

FEW_TURNS = 32


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: the poll at its head, its blocks with the header first, in the function's order."""

    poll: Poll
    blocks: tuple[Block, ...]

    @property
    def header(self) -> Block:
        return self.blocks[0]


def home(value: Value) -> Block | None:
    """The block that a value comes from."""
    return value.op.parent if isinstance(value, OpResult) else value.block if isinstance(value, BlockArgument) else None


class LoopNest:
    """``numeric``: the polls at the heads of numeric loops, and the blocks of each; ``entered``: those of them at which
    the twin may leave for the loops body; ``inner``: the blocks of those loops that lie in another numeric one, by
    their poll; ``innermost``: numeric loops with no loop inside that may take more than a few turns; ``hot``: the
    blocks of numeric loops; ``any``: whether there is a loop at all."""

    def __init__(self, region: Region, effects: Mapping[Operation, int], values: Mapping[Value, Fact]) -> None:
        predecessors: dict[Block, list[Block]] = {}
        for block in region.blocks:
            for edge in block.edges():
                predecessors.setdefault(edge.block, []).append(block)
        tree = dominators(region.entry, lambda block: [edge.block for edge in block.edges()])
        self.hot: set[Block] = set()
        self.any = self.nested = False
        bodies: list[set[Block]] = []
        self.numeric: dict[Poll, set[Block]] = {}
        numeric = self.numeric
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, Poll) and block in tree.depth:
                    self.any = True
                    back = [p for p in predecessors.get(block, ()) if p in tree.depth and tree.dominates(block, p)]
                    body = natural_loop(block, back, predecessors)
                    bodies.append(body)
                    if not any(_runs_code(inner, effects) for part in body for inner in part.ops):
                        numeric[op] = body
                        self.hot |= body
        self.nested = any(inner < outer and inner <= self.hot for inner in bodies for outer in bodies)
        self.inner: dict[Operation, set[Block]] = {
            op: body for op, body in numeric.items() if any(body < outer for outer in numeric.values())
        }
        short = {op for op in numeric if _takes_few_turns(op, values)}
        self.entered = {op for op in numeric if op not in self.inner or op not in short}
        self.innermost = [
            Loop(poll, (poll.parent, *(block for block in region.blocks if block in body and block is not poll.parent)))
            for poll, body in numeric.items()
            if poll not in short and poll.parent is not None and not any(other < body for other in bodies)
        ]


def _runs_code(op: Operation, effects: Mapping[Operation, int]) -> bool:
    return not isinstance(op, Poll) and bool(effects.get(op, 0) & fx.RUNS)


def _takes_few_turns(poll: Operation, values: Mapping[Value, Fact]) -> bool:
    """Whether the loop counts upwards through a range that is known to be short."""
    assert poll.parent is not None
    for op in poll.parent.ops:
        if isinstance(op, RangeNext):
            first, stop, step = (values.get(value) for value in (op.current, op.stop, op.step))
            return (
                first is not None
                and stop is not None
                and step is not None
                and first.lo is not None
                and stop.hi is not None
                and step.lo is not None
                and step.lo > 0
                and stop.hi - first.lo <= FEW_TURNS * step.lo
            )
    return False
