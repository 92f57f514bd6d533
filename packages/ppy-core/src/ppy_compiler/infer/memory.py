"""What globals hold, followed from store to load inside one function."""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.py.names import LoadGlobal
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.cfg import MEMORY_OPS
from ppy_compiler.infer.facts import Fact, replace
from ppy_compiler.infer.lattice import join, meet
from ppy_compiler.ir import Operation, OpResult, Value

Cells = dict[str, Fact]
MOST_CELLS = 200
"""How many globals are followed at a time: a script may have thousands, and every block holds its own view."""


def forget(cells: Cells, op: Operation, effect: int, private: frozenset[str]) -> None:
    """Other code may have run at ``op``: what only this function stores stays, under the watcher's guard when the
    code is unknown; the rest is unknown."""
    if not effect & fx.FOREIGN:
        if type(op) not in MEMORY_OPS:
            for name in cells.keys() - private:
                del cells[name]
        return
    for name in list(cells):
        if name not in private:
            del cells[name]
        elif name not in cells[name].depends:
            cells[name] = replace(cells[name], depends=cells[name].depends | {name})


def remember(cells: Cells, name: str, fact: Fact) -> None:
    """``name`` holds ``fact`` from here on; the one stored longest ago is given up where there are too many."""
    cells.pop(name, None)
    if len(cells) >= MOST_CELLS:
        del cells[next(iter(cells))]
    cells[name] = fact


def join_cells(a: Cells, b: Cells) -> Cells:
    """What holds on both ways."""
    if a is b or a == b:
        return a
    return {
        name: fact if fact is other else join(fact, other)
        for name, fact in a.items()
        if (other := b.get(name)) is not None
    }


def narrowed_cells(
    branch: Operation, cells: Cells, narrowings: Mapping[Value, Fact], op_effects: Mapping[Operation, int]
) -> Cells:
    """What a branch proves of a loaded global holds for the global too, unless it was stored since."""
    changes: Cells = {}
    for value, fact in narrowings.items():
        op = value.op if isinstance(value, OpResult) else None
        if not isinstance(op, LoadGlobal) or op.parent is None or op.parent is not branch.parent or op.var not in cells:
            continue
        rest = op.parent.ops[op.parent.ops.index(op) + 1 :]
        if not any(op_effects.get(other, fx.RUNS) & (fx.FOREIGN | fx.GLOBALS) for other in rest):
            changes[op.var] = meet(cells[op.var], fact.plain())
    return {**cells, **changes} if changes else cells
