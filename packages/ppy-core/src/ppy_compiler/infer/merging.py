"""What holds in every version of a function: the view of those who look at functions, not at native code."""

from __future__ import annotations

from functools import reduce
from operator import or_

from ppy_compiler.infer.facts import NEVER, Fact
from ppy_compiler.infer.lattice import join, join_all
from ppy_compiler.infer.results import CallTarget, Effects, FunctionFacts
from ppy_compiler.ir import Block, Operation, Value


def merged(versions: tuple[FunctionFacts, ...]) -> FunctionFacts:
    """What holds in all ``versions`` of one function. What is only for native code is left out."""
    first, *others = versions
    if not others:
        return first
    reachable = frozenset().union(*(version.reachable for version in versions))
    values: dict[Value, Fact] = {}
    calls: dict[Operation, CallTarget] = {}
    notes: dict[Operation, str] = {}
    bits: dict[Operation, int] = {}
    for version in versions:
        for value, fact in version.values.items():
            values[value] = join(values.get(value, NEVER), fact)
        calls.update(version.calls)
        notes.update(version.op_notes)
        for op, effect in version.op_effects.items():
            bits[op] = bits.get(op, 0) | effect
    return FunctionFacts(
        first.sym,
        first.func,
        values,
        tuple(join_all(facts) for facts in zip(*(version.params for version in versions), strict=True)),
        join_all(tuple(version.returns for version in versions)),
        Effects(reduce(or_, (version.effects.bits for version in versions))),
        calls,
        reachable,
        notes,
        bits,
        {block: _narrowed(block, versions) for block in reachable},
        {},
        plugged={op: model for version in versions for op, model in version.plugged.items()},
    )


def _narrowed(block: Block, versions: tuple[FunctionFacts, ...]) -> dict[Value, Fact]:
    """What branches on the way to ``block`` prove in all versions that reach it."""
    reaching = [version for version in versions if block in version.reachable]
    values = {value: None for version in reaching for value in version.narrowed.get(block, {})}
    found = {}
    for value in values:
        found[value] = NEVER
        for version in reaching:
            found[value] = join(found[value], version.at(value, block))
    return found
