"""The order of facts: joining, narrowing, widening, and what a guard establishes."""

from __future__ import annotations

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BOOL,
    BY_CLASS,
    CONTAINER,
    EXTERNAL,
    INT,
    INTEGER,
    NAMED,
    NONE,
    NULL,
    OTHER,
    SHAPED,
    TUPLE,
)
from ppy_compiler.infer.facts import NEVER, NONE_FACT, Fact, Literal, of_types, replace
from ppy_compiler.infer.ranges import Range
from ppy_compiler.plugins.types import ExternalType

EITHER_WORD = (ranges.I64[0], ranges.U64[1])


def _join_refinements(a: Fact, b: Fact) -> tuple[tuple[Fact, ...] | None, Fact | None, Fact | None, str]:
    items, element, value, name = a.items, a.element, a.value, a.name
    shaped = SHAPED
    if a.types & shaped and b.types & shaped:
        if a.items is None or b.items is None or len(a.items) != len(b.items) or (a.types ^ b.types) & shaped:
            items = None
            if a.element is None and a.items is not None:
                element = join_all(a.items)
            if b.element is None and b.items is not None:
                b = replace(b, element=join_all(b.items))
        else:
            items = tuple(map(join, a.items, b.items))
    elif b.types & shaped:
        items = b.items
    if a.types & CONTAINER and b.types & CONTAINER:
        element = None if element is None or b.element is None else join(element, b.element)
        value = None if a.value is None or b.value is None else join(a.value, b.value)
    elif b.types & CONTAINER:
        element, value = b.element, b.value
    if not a.types & NAMED:
        name = b.name
    elif b.types & NAMED and a.name != b.name:
        name = ""
    return items, element, value, name


def _join_external(a: Fact, b: Fact) -> ExternalType | None:
    if not a.types & b.types & EXTERNAL:
        return a.external if a.types & EXTERNAL else b.external
    mine, theirs = a.external, b.external
    if mine is None or theirs is None or mine == theirs or mine.name != theirs.name:
        return mine if mine == theirs else None
    return mine.join(theirs)


def _meet_external(a: Fact, b: Fact) -> ExternalType | None:
    mine, theirs = a.external, b.external
    if mine is None or theirs is None or mine.name != theirs.name:
        return mine if mine is not None else theirs
    return mine.refine(**dict(theirs.refinements))


def join_all(facts: tuple[Fact, ...]) -> Fact:
    found = NEVER
    for fact in facts:
        found = join(found, fact.plain())
    return found


def _join_range(a: Fact, b: Fact) -> Range:
    if a.types & INTEGER and b.types & INTEGER:
        return ranges.union(a.range, b.range)
    return a.range if a.types & INTEGER else b.range


def join(a: Fact, b: Fact) -> Fact:
    """The least fact that covers both."""
    if a is b or not b.types or a == b:
        return a
    if not a.types:
        return b
    lo, hi = _join_range(a, b)
    wide: Range | None = None
    if (a.wide is not None or b.wide is not None) and a.types & INTEGER and b.types & INTEGER:
        wide = ranges.union(a.wide_range, b.wide_range)
    literal = a.literal if a.literal == b.literal else None
    structured = SHAPED | CONTAINER | NAMED
    items, element, value, name = (
        _join_refinements(a, b) if (a.types | b.types) & structured else (None, None, None, "")
    )
    return Fact(
        a.types | b.types,
        lo,
        hi,
        wide,
        literal,
        items,
        element,
        value,
        name,
        a.guarded or b.guarded,
        a.depends | b.depends,
        external=_join_external(a, b) if (a.types | b.types) & EXTERNAL else None,
    )


def _says_types_only(fact: Fact) -> bool:
    return (
        fact.literal is None
        and fact.lo is None
        and fact.hi is None
        and not fact.items
        and fact.element is None
        and not fact.name
        and fact.external is None
    )


def meet(a: Fact, b: Fact) -> Fact:
    """``a`` narrowed by ``b``: the value is described by both. Marks of the definition stay ``a``'s."""
    types = a.types & b.types
    if types == a.types and _says_types_only(b):
        return a
    lo, hi = a.lo, a.hi
    if types & INTEGER and b.types & INTEGER:
        both = ranges.intersect(a.range, b.range)
        if both is None:
            types &= ~INTEGER
            lo = hi = None
        else:
            lo, hi = both
    if not types & INTEGER:
        lo = hi = None
    if not types:
        return NEVER
    literal = a.literal or b.literal
    if literal is None and types == INT and lo is not None and lo == hi:
        literal = Literal(lo)
    elif literal is None and types == BOOL and lo is not None and lo == hi:
        literal = Literal(bool(lo))
    elif literal is None and types == NONE:
        literal = NONE_FACT.literal
    if literal is not None and not types & BY_CLASS.get(type(literal.value), OTHER):
        literal = None
    items = a.items if a.items is not None else b.items
    shaped = types & SHAPED
    return Fact(
        types,
        lo,
        hi,
        None if lo is not None and (lo, hi) != a.range else a.wide,
        literal,
        items if shaped else None,
        (a.element if a.element is not None else b.element) if types & CONTAINER else None,
        (a.value if a.value is not None else b.value) if types & CONTAINER else None,
        (a.name or b.name) if types & NAMED else "",
        a.guarded,
        a.depends,
        a.demanded_bits,
        _meet_external(a, b) if types & EXTERNAL else None,
    )


def without(fact: Fact, types: int) -> Fact:
    """``fact`` when the value is none of ``types``."""
    return meet(fact, of_types((ANY_OBJECT | NULL) & ~types)) if fact.types & types else fact


def widen(old: Fact, new: Fact, thresholds: list[int]) -> Fact:
    """``new`` with a range that cannot grow forever (``new`` covers ``old``)."""
    if not new.types & INTEGER or (new.lo, new.hi) == (old.lo, old.hi) or not old.types & INTEGER:
        return _widen_parts(old, new, thresholds)
    lo, hi = ranges.widen(old.range, new.range, thresholds)
    return replace(_widen_parts(old, new, thresholds), lo=lo, hi=hi, literal=None if lo != hi else new.literal)


def _widen_parts(old: Fact, new: Fact, thresholds: list[int]) -> Fact:
    if new.items is not None and old.items is not None and len(new.items) == len(old.items) and new.items != old.items:
        new = replace(new, items=tuple(widen(o, n, thresholds) for o, n in zip(old.items, new.items, strict=True)))
    if new.element is not None and old.element is not None and new.element != old.element:
        new = replace(new, element=widen(old.element, new.element, thresholds))
    if new.value is not None and old.value is not None and new.value != old.value:
        new = replace(new, value=widen(old.value, new.value, thresholds))
    if new.external is not None and old.external is not None and new.external != old.external:
        new = replace(new, external=old.external.widen(new.external))
    return new


def word(fact: Fact) -> Fact:
    """An assumption as the entry of a function or a load checks it: an integer fits 64 signed bits, nothing is
    constant."""
    if not fact.types & (INTEGER | CONTAINER):
        return replace(fact, literal=None) if fact.literal is not None and fact.types != NONE else fact
    lo, hi = fact.lo, fact.hi
    if fact.types & INT:
        lo, hi = ranges.I64
    elif fact.types & BOOL:
        lo, hi = 0, 1
    items = fact.items
    if items is not None and fact.types & TUPLE:
        # A guard on a tuple establishes class and length; its parts are guarded when it is taken apart.
        items = tuple(replace(word(item), guarded=True) if item.types != ANY_OBJECT else item for item in items)
    element = word(fact.element) if fact.element is not None else None
    value = word(fact.value) if fact.value is not None else None
    return replace(fact, lo=lo, hi=hi, wide=None, literal=None, items=items, element=element, value=value)


def one_word(fact: Fact) -> Fact:
    """A block argument that words of both signs flow into is an unsigned word under guard: lowering checks the edges
    whose values could be negative."""
    if not fact.types & INT or ranges.fits_word(fact.range) or not ranges.within(fact.range, EITHER_WORD):
        return fact
    return replace(fact, lo=0, guarded=True)
