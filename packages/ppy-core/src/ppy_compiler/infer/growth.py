"""What containers come to hold: the element facts of a container made in a function, joined over all that is put into
it there.

Element facts are guesses that loads guard, so nothing here must be complete. But a guess that is always wrong would
send every load to the
twin: a list made of integers and filled with floats must be known to hold both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.infer.atoms import DICT, LIST, SET
from ppy_compiler.infer.facts import NEVER, Fact, bounded, replace
from ppy_compiler.infer.lattice import join, word
from ppy_compiler.infer.origins import origin
from ppy_compiler.ir import BlockArgument, OpResult, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis

GROWING = LIST | DICT | SET
Growth = tuple[Fact, Fact]
"""The elements (or keys) and the values that were put in."""


def grow(env: FunctionAnalysis, holder: Value, element: Fact, value: Fact = NEVER) -> None:
    """``element`` (for a dict: a key, with its ``value``) is put into ``holder``."""
    source = origin(holder)
    if isinstance(source, BlockArgument):
        if source.block is env.func.body.entry:
            env.module.parameter_grown(env.key, source.index, element, value)
        return
    if not isinstance(source, OpResult) or source.index or not element.types:
        return
    op = source.op
    old = env.grown.get(op, (NEVER, NEVER))
    new = (join(old[0], _settled(element)), join(old[1], _settled(value)))
    if new != old:
        env.grown[op] = new
        env.revisit(op)


def _settled(fact: Fact) -> Fact:
    return word(bounded(fact.plain()))


def with_growth(fact: Fact, growth: Growth) -> Fact:
    """The fact of a container with what was put into it later."""
    if not fact.types or fact.types & ~GROWING:
        return fact
    element = None if fact.element is None else join(fact.element, growth[0])
    value = fact.value
    if fact.types & DICT and value is not None:
        value = join(value, growth[1])
    if element == fact.element and value == fact.value:
        return fact
    return replace(fact, element=element, value=value)
