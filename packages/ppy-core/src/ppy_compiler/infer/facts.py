"""Facts: what is known about a value, as the set of exact types it can have and refinements of each.

Two strengths are kept apart. A fact is *proven* given the facts of the operation's operands, or it holds only because
lowering emits
a guard at the definition (``guarded``): the type of a parameter, of a list's element, of a call's result, or that an
integer stays in
a 64-bit word. Facts computed from a guarded value rely on that guard and are not themselves guarded.

Integers carry two ranges. ``lo``/``hi`` hold in the fast body; ``wide`` is the mathematical range before the word
guard of this very
operation (equal to ``lo``/``hi`` where none is needed). The transfer functions of ``+ - * & | ^ ~ << >> // %`` use
the operands' ``wide``,
so lowering may leave the guard of a value out when all its uses are such operations and it computes them with enough
bits (masks
through ``demanded_bits``, ``a * b % m`` with 128 bits). Every other use relies on the guard.

Element facts of containers are always assumptions: anybody may store anything. Loads mark their result ``guarded``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BOOL,
    BY_CLASS,
    EXTERNAL,
    INT,
    INTEGER,
    NAMES,
    NONE,
    NULL,
    OTHER,
    TUPLE,
)
from ppy_compiler.infer.ranges import Range
from ppy_compiler.plugins.types import ExternalType

NO_GLOBALS: frozenset[str] = frozenset()


class Literal:
    """A constant value, compared by type and content (``1``, ``True`` and ``1.0`` differ, so do ``0.0`` and
    ``-0.0``)."""

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


class Fact(NamedTuple):
    """See the module's page. ``types`` is a set of atoms; the other fields refine those of its atoms they apply to.

    A tuple, because inference makes, compares and hashes them by the ten thousand."""

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
    external: ExternalType | None = None
    """Which library's class, and what more its plugin knows; ``None``: any that some plugin models."""

    @property
    def kind(self) -> str:
        """The one type this value has (``none`` and the null marker aside), ``object`` when there are several or
        any."""
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


def replace(fact: Fact, **changes: Any) -> Fact:
    """A copy with some fields changed."""
    return fact._replace(**changes)


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


def instance_of(external: ExternalType) -> Fact:
    """An instance of a library's class."""
    return Fact(EXTERNAL, external=external)


def tuple_of(items: tuple[Fact, ...]) -> Fact:
    """A tuple by value."""
    return Fact(TUPLE, items=tuple(bounded(item.plain()) for item in items))


def container(types: int, element: Fact | None, value: Fact | None = None, name: str = "") -> Fact:
    return Fact(
        types, element=bounded(element) if element else element, value=bounded(value) if value else value, name=name
    )


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
    return Fact(fact.types, fact.lo, fact.hi, name=fact.name, external=fact.external)
