"""What comes out of a container or a call: an assumption that lowering guards at that place."""

from __future__ import annotations

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import EXTERNAL, GUARDABLE, INT, INTEGER, NONE, NULL
from ppy_compiler.infer.facts import OBJECT, Fact, replace
from ppy_compiler.infer.lattice import word


def guardable(fact: Fact) -> bool:
    """Whether one look at an object's class can establish the fact's type (``None`` aside)."""
    types = fact.types & ~NONE
    if types == EXTERNAL:
        return fact.external is not None
    if not fact.types or fact.types & ~GUARDABLE & ~NULL or fact.types & NULL:
        return False
    return not types & (types - 1)


def loaded(element: Fact | None) -> Fact:
    """The fact of an element just read. Nothing is assumed where no type is known or several are possible."""
    if element is None or not guardable(element):
        return OBJECT
    return replace(word(element), guarded=True)


def in_word(fact: Fact) -> Fact:
    """A proven integer of any size, kept in a word under guard."""
    if not fact.types & INT or not fact.only(INTEGER | NONE) or ranges.fits_word(fact.range):
        return fact
    clamped = ranges.intersect(fact.range, ranges.I64)
    if clamped is None:
        return fact
    return Fact(fact.types, clamped[0], clamped[1], fact.range, guarded=True, depends=fact.depends)
