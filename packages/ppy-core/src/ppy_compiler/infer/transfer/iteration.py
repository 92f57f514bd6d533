"""The iterator protocol over built-in containers and ranges; everything else as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.iteration import Iter, Next
from ppy_compiler.dialects.py.loops import Poll, RangeBegin, RangeNext
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import ranges, reasons
from ppy_compiler.infer.atoms import (
    BYTEARRAY,
    BYTES,
    CLASS,
    DICT,
    FROZENSET,
    INT,
    ITERATOR,
    LIST,
    RANGE,
    SET,
    STR,
    TUPLE,
    VIEW,
)
from ppy_compiler.infer.facts import NEVER, OBJECT, UNBOUND, Fact, boolean, container, integer, of_types
from ppy_compiler.infer.transfer.arithmetic import word_result
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.infer.transfer.sequences import element_of

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

ITERABLE = LIST | TUPLE | STR | BYTES | BYTEARRAY | DICT | SET | FROZENSET | RANGE | ITERATOR | VIEW
BYTE = integer(0, 255)
CHECKED = frozenset(("dict", "set", "frozenset", "keys", "values", "items"))
"""Iterators that raise RuntimeError when their container changes size."""
PAIRS = frozenset(("enumerate", "zip", "items"))
"""Iterators that make tuples; the tuples' parts are marked guarded where they were only assumed."""
EXACT = frozenset(("range", "str", "bytes", "bytearray"))
"""Iterators whose items have a proven type."""


def range_items(start: Fact, stop: Fact, step: Fact) -> Fact:
    """What iterating over ``range(start, stop, step)`` gives."""
    upwards = integer(*_span(start.lo, None if stop.hi is None else stop.hi - 1))
    downwards = integer(*_span(None if stop.lo is None else stop.lo + 1, start.hi))
    if ranges.low(step.range) > 0:
        return upwards
    if ranges.high(step.range) < 0:
        return downwards
    lows = [r.lo for r in (upwards, downwards)]
    highs = [r.hi for r in (upwards, downwards)]
    return integer(
        None if None in lows else min(bound for bound in lows if bound is not None),
        None if None in highs else max(bound for bound in highs if bound is not None),
    )


def _span(lo: int | None, hi: int | None) -> ranges.Range:
    """An empty span is given the range of its lower bound: no item exists."""
    return (lo, lo) if lo is not None and hi is not None and hi < lo else (lo, hi)


def iterator_of(fact: Fact) -> Fact | None:
    """The iterator of an exact built-in container; ``None`` when the type is not certain."""
    if not fact.only(ITERABLE) or fact.types & (fact.types - 1):
        return None
    if fact.only(ITERATOR):
        return fact.plain()
    if fact.only(RANGE):
        element = range_items(*fact.items) if fact.items is not None else integer()
        return container(ITERATOR, element, name="range")
    if fact.only(VIEW):
        return container(ITERATOR, fact.element, name=fact.name)
    if fact.only(STR):
        return container(ITERATOR, of_types(STR), name="str")
    if fact.only(BYTES | BYTEARRAY):
        return container(ITERATOR, BYTE, name=fact.kind)
    return container(ITERATOR, element_of(fact), name=fact.kind)


def iterate(op: Iter, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.iterable)
    if not fact.types:
        return (NEVER,), fx.QUIET
    found = iterator_of(fact)
    if found is None:
        env.note(op, reasons.UNPROVEN)
        return (OBJECT,), fx.ANYTHING
    return (found,), fx.QUIET if found.name == "range" else fx.ALLOCATES | fx.OBJECTS


def item_of(iterator: Fact) -> Fact:
    """The next item of a built-in iterator."""
    if iterator.name in EXACT or iterator.name in PAIRS:
        return iterator.element or OBJECT
    return loaded(iterator.element)


def advance(op: Next, env: FunctionAnalysis) -> Answer:
    """The item's fact holds where ``more`` is true."""
    fact = env.fact(op.iterator)
    if not fact.types:
        return (NEVER, NEVER), fx.QUIET
    if not fact.only(ITERATOR) or not fact.name:
        env.note(op, reasons.UNPROVEN)
        return (OBJECT, boolean()), fx.ANYTHING
    effect = fx.QUIET if fact.name == "range" else fx.OBJECTS | (fx.RAISES if fact.name in CHECKED | PAIRS else 0)
    return (item_of(fact), boolean()), effect


def poll(op: Poll, env: FunctionAnalysis) -> Answer:
    """A signal handler that ran counts as a failed guard, so nothing that is known here changes; it may raise."""
    return (), fx.RAISES


def range_begin(op: RangeBegin, env: FunctionAnalysis) -> Answer:
    callee, facts = env.fact(op.callee), [env.fact(value) for value in op.args]
    if not callee.types or not all(fact.types for fact in facts):
        return (NEVER,) * 4, fx.QUIET
    if callee.only(CLASS) and callee.name == "builtins.range" and all(fact.only(INT) for fact in facts):
        one, zero = integer(1, 1), integer(0, 0)
        plain = [fact.plain() for fact in facts]
        start, stop, step = (zero, plain[0], one) if len(plain) == 1 else (*plain, one)[:3]
        may_raise = ranges.low(step.range) <= 0 <= ranges.high(step.range)
        return (UNBOUND, start, stop, step), fx.RAISES if may_raise else fx.QUIET
    env.note(op, reasons.UNPROVEN)
    iterator = Fact(OBJECT.types | UNBOUND.types)
    return (iterator, OBJECT, OBJECT, OBJECT), fx.ANYTHING


def range_next(op: RangeNext, env: FunctionAnalysis) -> Answer:
    iterator, current, stop, step = (env.fact(value) for value in (op.iterator, op.current, op.stop, op.step))
    if not all(fact.types for fact in (iterator, current, stop, step)):
        return (NEVER,) * 3, fx.QUIET
    if iterator.types != UNBOUND.types or not all(fact.only(INT) for fact in (current, stop, step)):
        env.note(op, reasons.UNPROVEN)
        return (OBJECT, boolean(), OBJECT), fx.ANYTHING
    item = range_items(current, stop, step)
    inside = ranges.intersect(item.range, current.range)
    item = integer(*inside) if inside is not None else item
    following = word_result(ranges.union(ranges.add(item.range, step.range), current.range), current, step)
    return (item, boolean(), following), fx.QUIET


TABLE = {Iter: iterate, Next: advance, Poll: poll, RangeBegin: range_begin, RangeNext: range_next}
