"""Facts: what is known about a value, as the set of exact types it can have and refinements of each.

Two strengths are kept apart. A fact is *proven* given the facts of the operation's operands, or it holds only because lowering emits
a guard at the definition (``guarded``): the type of a parameter, of a list's element, of a call's result, or that an integer stays in
a 64-bit word. Facts computed from a guarded value rely on that guard and are not themselves guarded.

Integers carry two ranges. ``lo``/``hi`` hold in the fast body; ``wide`` is the mathematical range before the word guard of this very
operation (equal to ``lo``/``hi`` where none is needed). The transfer functions of ``+ - * & | ^ ~ << >> // %`` use the operands' ``wide``,
so lowering may leave the guard of a value out when all its uses are such operations and it computes them with enough bits (masks
through ``demanded_bits``, ``a * b % m`` with 128 bits). Every other use relies on the guard.

Element facts of containers are always assumptions: anybody may store anything. Loads mark their result ``guarded``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BOOL,
    BY_CLASS,
    CONTAINER,
    FUNCTION,
    INT,
    INTEGER,
    NAMED,
    NAMES,
    NONE,
    NULL,
    NUMBER,
    OTHER,
    SCALAR,
    SHAPED,
    TUPLE,
    atoms_of,
)
from ppy_compiler.infer.ranges import Range

NO_GLOBALS: frozenset[str] = frozenset()


class Literal:
    """A constant value, compared by type and content (``1``, ``True`` and ``1.0`` differ, so do ``0.0`` and ``-0.0``)."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.key = (type(value), repr(value) if not isinstance(value, (int, str, bytes)) else value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Literal({self.value!r})"


@dataclass(frozen=True, slots=True)
class Fact:
    """See the module's page. ``types`` is a set of atoms; the other fields refine those of its atoms they apply to."""

    types: int
    lo: int | None = None
    hi: int | None = None
    """Range of the value when it is an ``int`` or ``bool``."""
    wide: Range | None = None
    """The mathematical range before the word guard; ``None``: the same as ``(lo, hi)``."""
    literal: Literal | None = None
    """The value, when it can only be one."""
    items: tuple[Fact, ...] | None = None
    """The items of a tuple of known length; start, stop and step of a ``range``."""
    element: Fact | None = None
    """What the container holds or the iterator gives (a dict's keys); ``None``: anything."""
    value: Fact | None = None
    """A dict's values; ``None``: anything."""
    name: str = ""
    """Which function, builtin, module, class, instance's class, iterator."""
    guarded: bool = False
    depends: frozenset[str] = NO_GLOBALS
    """Globals that must still hold what the analysis saw for this fact to hold."""
    demanded_bits: int | None = None
    """Only so many low bits of this integer matter to its users."""

    @property
    def kind(self) -> str:
        """The one type this value has (``none`` and the null marker aside), ``object`` when there are several or any."""
        types = self.types & ~(NONE | NULL)
        if not types:
            return NAMES.get(self.types, "none" if self.types & NONE else "null" if self.types else "never")
        return NAMES.get(types, "object")

    @property
    def exact(self) -> bool:
        """Whether the value's class is certainly one of those in ``types``, never a subclass or another."""
        return not self.types & OTHER

    @property
    def optional(self) -> bool:
        return bool(self.types & NONE) and self.types != NONE

    @property
    def nullable(self) -> bool:
        return bool(self.types & NULL)

    @property
    def never(self) -> bool:
        """Whether no value can be here: the code is not reached."""
        return not self.types

    def only(self, types: int) -> bool:
        """Whether the value certainly is of ``types``."""
        return not self.types & ~types and bool(self.types)

    @property
    def range(self) -> Range:
        return (self.lo, self.hi)

    @property
    def wide_range(self) -> Range:
        return self.wide if self.wide is not None else (self.lo, self.hi)

    @property
    def fits_word(self) -> bool:
        """Whether the integer fits 64 bits, signed or unsigned."""
        return self.only(INTEGER) and ranges.fits_word(self.range)

    @property
    def signed(self) -> bool:
        """Whether the word that holds the integer is a signed one."""
        return ranges.within(self.range, ranges.I64)

    @property
    def constant(self) -> bool:
        return self.literal is not None

    @property
    def length(self) -> int | None:
        """Number of items, where it cannot change."""
        if self.types == TUPLE and self.items is not None:
            return len(self.items)
        if self.literal is not None and isinstance(self.literal.value, (str, bytes, tuple, frozenset)):
            return len(self.literal.value)
        return None

    def plain(self) -> Fact:
        """The fact as it holds after its definition: without the marks that belong to the defining operation."""
        if not self.guarded and self.wide is None and self.demanded_bits is None and not self.depends:
            return self
        return replace(self, guarded=False, wide=None, demanded_bits=None, depends=NO_GLOBALS)

    def __str__(self) -> str:
        from ppy_compiler.infer.display import show

        return show(self)


FIELDS = tuple(f.name for f in fields(Fact))


def replace(fact: Fact, **changes: Any) -> Fact:
    """A copy with some fields changed."""
    return Fact(*[changes[name] if name in changes else getattr(fact, name) for name in FIELDS])


NEVER = Fact(0)
OBJECT = Fact(ANY_OBJECT)
"""Any object."""
UNBOUND = Fact(NULL)
NONE_FACT = Fact(NONE, literal=Literal(None))
INT_FACT = Fact(INT)


@lru_cache(maxsize=4096)
def integer(lo: int | None = None, hi: int | None = None) -> Fact:
    """An exact ``int`` in a range; a range of one is a constant."""
    return Fact(INT, lo, hi, literal=Literal(lo) if lo is not None and lo == hi else None)


@lru_cache(maxsize=8)
def boolean(lo: int = 0, hi: int = 1) -> Fact:
    return Fact(BOOL, lo, hi, literal=Literal(bool(lo)) if lo == hi else None)


@lru_cache(maxsize=1024)
def of_types(types: int) -> Fact:
    """Nothing but the types."""
    if types & INTEGER == BOOL:
        return Fact(types, 0, 1)
    return Fact(types)


def named(types: int, name: str, depends: frozenset[str] = NO_GLOBALS) -> Fact:
    return Fact(types, name=name, depends=depends)


def tuple_of(items: tuple[Fact, ...]) -> Fact:
    """A tuple by value."""
    return Fact(TUPLE, items=tuple(bounded(item.plain()) for item in items))


def container(types: int, element: Fact | None, value: Fact | None = None, name: str = "") -> Fact:
    return Fact(types, element=bounded(element) if element else element, value=bounded(value) if value else value, name=name)


def constant(value: Any) -> Fact:
    """The fact of a literal."""
    types = BY_CLASS.get(type(value), OTHER)
    if types == INT:
        return integer(value, value)
    if types == BOOL:
        return boolean(int(value), int(value))
    items = tuple(constant(item) for item in value) if types == TUPLE and len(value) <= 64 else None
    return Fact(types, literal=Literal(value), items=items)


DEPTH = 3


def depth(fact: Fact) -> int:
    inner = [part for part in (*(fact.items or ()), fact.element, fact.value) if part is not None]
    return 1 + max(map(depth, inner)) if inner else 0


def bounded(fact: Fact) -> Fact:
    """``fact`` without parts nested more deeply than ``DEPTH``: facts of growing structures must not grow."""
    if (fact.items is None and fact.element is None and fact.value is None) or depth(fact) < DEPTH:
        return fact
    return Fact(fact.types, fact.lo, fact.hi, name=fact.name)


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
    items, element, value, name = _join_refinements(a, b) if (a.types | b.types) & structured else (None, None, None, "")
    return Fact(
        a.types | b.types, lo, hi, wide, literal, items, element, value, name, a.guarded or b.guarded, a.depends | b.depends,
    )


def meet(a: Fact, b: Fact) -> Fact:
    """``a`` narrowed by ``b``: the value is described by both. Marks of the definition stay ``a``'s."""
    types = a.types & b.types
    if types == a.types and b.literal is None and b.lo is None and b.hi is None and not b.items and b.element is None and not b.name:
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
        types, lo, hi, None if lo is not None and (lo, hi) != a.range else a.wide, literal, items if shaped else None,
        (a.element if a.element is not None else b.element) if types & CONTAINER else None,
        (a.value if a.value is not None else b.value) if types & CONTAINER else None,
        (a.name or b.name) if types & NAMED else "", a.guarded, a.depends, a.demanded_bits,
    )


def without(fact: Fact, types: int) -> Fact:
    """``fact`` when the value is none of ``types``."""
    return meet(fact, of_types((ANY_OBJECT | NULL) & ~types)) if fact.types & types else fact


def widen(old: Fact, new: Fact, thresholds: list[int]) -> Fact:
    """``new`` with a range that cannot grow forever (``new`` covers ``old``)."""
    if not new.types & INTEGER or (new.lo, new.hi) == (old.lo, old.hi) or not old.types & INTEGER:
        wide = _widen_parts(old, new, thresholds)
        return wide
    lo, hi = ranges.widen(old.range, new.range, thresholds)
    return replace(_widen_parts(old, new, thresholds), lo=lo, hi=hi, literal=None if lo != hi else new.literal)


def _widen_parts(old: Fact, new: Fact, thresholds: list[int]) -> Fact:
    if new.items is not None and old.items is not None and len(new.items) == len(old.items) and new.items != old.items:
        new = replace(new, items=tuple(widen(o, n, thresholds) for o, n in zip(old.items, new.items, strict=True)))
    if new.element is not None and old.element is not None and new.element != old.element:
        new = replace(new, element=widen(old.element, new.element, thresholds))
    if new.value is not None and old.value is not None and new.value != old.value:
        new = replace(new, value=widen(old.value, new.value, thresholds))
    return new


def word(fact: Fact) -> Fact:
    """An assumption as the entry of a function or a load checks it: an integer fits 64 signed bits, nothing is constant."""
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


__all__ = [
    "FUNCTION", "NUMBER", "SCALAR", "Fact", "Literal", "atoms_of", "boolean", "constant", "container", "integer", "join", "meet", "named",
    "of_types", "replace", "tuple_of", "widen", "without", "word",
]
