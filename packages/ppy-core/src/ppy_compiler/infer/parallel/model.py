"""What the analysis of parallel loops hands on."""

from __future__ import annotations

from dataclasses import dataclass

from ppy_compiler.dialects.cf import Br
from ppy_compiler.dialects.py.loops import RangeBegin, RangeNext
from ppy_compiler.ir import Block, BlockArgument, Operation


@dataclass(frozen=True, slots=True, eq=False)
class RangeLoop:
    """A counted loop. ``blocks``: all of it; ``running``: the blocks that an iteration passes that raises nothing."""

    begin: RangeBegin
    next: RangeNext
    entry: Br
    """The branch into the loop."""
    header: Block
    blocks: frozenset[Block]
    running: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Reduction:
    """A variable that iterations only add to (or multiply, ...): ``kind`` is ``+ * & | ^ min max``."""

    variable: BlockArgument
    kind: str
    is_float: bool
    operations: frozenset[Operation]
    """Those that take a new value into it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A variable that each iteration sets before it reads it: after the loop it has the last one's value."""

    variable: BlockArgument


@dataclass(frozen=True, slots=True)
class ParallelLoop:
    loop: RangeLoop
    reductions: tuple[Reduction, ...]
    kept: tuple[Kept, ...]
    cost: int
    """Estimated nanoseconds of an iteration."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a loop runs on one thread: a clause that follows "because", and what to change."""

    reason: str
    remedy: str
    op: Operation | None = None
    """Where, if that is not the loop as a whole."""
