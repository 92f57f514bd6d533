"""The loops of a function, and which of them are worth the optimiser's time.

A loop is *numeric* when nothing in it runs Python code: its turns are a few machine instructions, so inlining,
vectors and a way back from the twin
pay. In any other loop the calls into the interpreter are what a turn costs.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.py.loops import Poll
from ppy_compiler.infer import effects as fx
from ppy_compiler.ir import Block, Operation, Region
from ppy_compiler.support.graphs import dominators


class LoopNest:
    """``numeric``: the polls at the heads of numeric loops; ``hot``: the blocks of those loops; ``any``: whether
    there is a loop at all."""

    def __init__(self, region: Region, effects: Mapping[Operation, int]) -> None:
        predecessors: dict[Block, list[Block]] = {}
        for block in region.blocks:
            for edge in block.edges():
                predecessors.setdefault(edge.block, []).append(block)
        tree = dominators(region.entry, lambda block: [edge.block for edge in block.edges()])
        self.numeric: set[Operation] = set()
        self.hot: set[Block] = set()
        self.any = self.nested = False
        bodies: list[set[Block]] = []
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, Poll) and block in tree.depth:
                    self.any = True
                    back = [p for p in predecessors.get(block, ()) if p in tree.depth and tree.dominates(block, p)]
                    body = _natural_loop(block, back, predecessors)
                    bodies.append(body)
                    if not any(_runs_code(inner, effects) for part in body for inner in part.ops):
                        self.numeric.add(op)
                        self.hot |= body
        self.nested = any(inner < outer and inner <= self.hot for inner in bodies for outer in bodies)


def _natural_loop(header: Block, back: list[Block], predecessors: Mapping[Block, list[Block]]) -> set[Block]:
    """``header`` and everything from which the sources of its back edges are reached without passing it."""
    found, work = {header, *back}, [block for block in back if block is not header]
    while work:
        for block in predecessors.get(work.pop(), ()):
            if block not in found:
                found.add(block)
                work.append(block)
    return found


def _runs_code(op: Operation, effects: Mapping[Operation, int]) -> bool:
    return not isinstance(op, Poll) and bool(effects.get(op, 0) & fx.RUNS)
