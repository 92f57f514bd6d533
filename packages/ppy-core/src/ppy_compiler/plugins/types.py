"""The words in which compiler and plugin speak of values: what is known of one, and the library's own types.

A plugin sees a `Value` and answers with a `Type`: text, an annotation as a programmer would write it ("float",
"tuple[int, str]", "object" for anything); an `ExternalType`, an instance of one of the library's classes; or a tuple of
types, the items of a Python tuple.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar, Union

T = TypeVar("T", bound="ExternalType")


@dataclass(frozen=True, slots=True)
class ExternalType:
    """An instance of exactly the library's class `name` ("foolib.Vector"), and what more is known of it.

    Refinements are pairs of a key and plain data (None, numbers, text, tuples of such), sorted by key; a key that is
    absent says nothing. Inference joins two of one name where paths meet, widens where a loop changes one, and prints
    it. A plugin whose refinements mean more than equal or not derives a class and says so in `join` and `widen`, what a
    subscripted annotation means in `subscripted`, what `Annotated` adds in `annotated`. All of it must be a function of
    the data alone, and growing must come to an end: whatever `join` gives says no more than its operands do.

    That a value has the type is an assumption: whatever relies on it checks it, a lowered operation the class and,
    where they matter, the refinements.
    """

    name: str
    refinements: tuple[tuple[str, object], ...] = ()
    number: str = ""
    """Of a scalar of NumPy: the number that it is, "f64", "i64" or "bool". Native code holds it in a register."""

    def get(self, key: str, default: object = None) -> object:
        return dict(self.refinements).get(key, default)

    def refine(self: T, **changes: object) -> T:
        """The type with other refinements; None removes one."""
        merged = {**dict(self.refinements), **changes}
        return replace(self, refinements=tuple(sorted((k, v) for k, v in merged.items() if v is not None)))

    def join(self: T, other: T) -> T:
        """What is known of a value that is one or the other: a refinement stays where it is the same in both; tuples of
        one length are joined item by item, None standing for an item that differs."""
        theirs = dict(other.refinements)
        return self.refine(**{key: _joined(mine, theirs.get(key)) for key, mine in self.refinements})

    def widen(self: T, newer: T) -> T:
        """What to assume of a value that went from this to `newer` in a loop and may go on."""
        theirs = dict(newer.refinements)
        return self.refine(**{key: mine if theirs.get(key) == mine else None for key, mine in self.refinements})

    def subscripted(self: T, arguments: tuple[Value, ...]) -> T | None:
        """What the annotation `foolib.Vector[arguments]` means; None: nothing that this type knows."""
        return None

    def annotated(self: T, refinement: str, arguments: tuple[object, ...]) -> T:
        """The type under `Annotated[..., refinement(*arguments)]`, `refinement` by its last name ("Shape")."""
        return self

    def __str__(self) -> str:
        parts = ", ".join(f"{key}={value}" for key, value in self.refinements)
        return f"{self.name}[{parts}]" if parts else self.name


def _joined(mine: object, theirs: object) -> object:
    if mine == theirs:
        return mine
    if isinstance(mine, tuple) and isinstance(theirs, tuple) and len(mine) == len(theirs):
        return tuple(a if a == b else None for a, b in zip(mine, theirs, strict=True))
    return None


Type = Union[str, ExternalType, tuple["Type", ...]]  # noqa: UP007 (3.11 has no `|` with a name in quotes)
"""A type that a plugin answers with; see the module's text."""


class Unknown(enum.Enum):
    """Stands for the constant of a value that is none."""

    UNKNOWN = enum.auto()


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of a value where a plugin is asked. Nothing in it is more than an assumption."""

    type: str = "object"
    """Its type as an annotation; of an external type its name."""
    external: ExternalType | None = None
    constant: object = Unknown.UNKNOWN
    """The value itself, when it can only be one number, text, bytes, None, or a tuple of these."""
    name: str = ""
    """The dotted name of the library's object that it is ("foolib.float64")."""
    items: tuple[Value, ...] | None = None
    """Of a tuple of known length."""
    position: int | None = None
    """Which argument of the call, or operand, it is, keywords last; None: a default that the plugin adds."""

    @property
    def known(self) -> bool:
        """Whether `constant` says what the value is."""
        return self.constant is not Unknown.UNKNOWN

    @classmethod
    def of(cls, type: Type | Value, position: int | None = None) -> Value:
        """A value of which no more than a type is known."""
        match type:
            case Value():
                return type if type.position is not None else replace(type, position=position)
            case ExternalType():
                return cls(type.name, type, position=position)
            case tuple():
                items = tuple(cls.of(item) for item in type)
                return cls(f"tuple[{', '.join(item.type for item in items) or '()'}]", items=items, position=position)
        return cls(type, position=position)


def values_of(types: Iterable[Type | Value], first: int = 0) -> tuple[Value, ...]:
    """Arguments of the given types, numbered."""
    return tuple(Value.of(type, position) for position, type in enumerate(types, first))
