"""One entry of the models: what a function, method or constant of a library is to the compiler."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """``kind``: ``positional`` (only), ``either``, ``keyword`` (only), ``vararg`` or ``kwarg``; ``annotation``:
    source text."""

    name: str
    kind: str
    annotation: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One overload, on one rung. ``target`` is the decorator's argument: an operation, a symbol, a handler, or the
    reason."""

    parameters: tuple[Parameter, ...]
    returns: str
    rung: str
    target: str
    effects: str
    raises: tuple[str, ...]
    result: str
    borrows: bool

    @property
    def required(self) -> int:
        """How many positional arguments it needs at least."""
        return sum(1 for p in self.parameters if p.kind in ("positional", "either") and not p.optional)

    @property
    def most(self) -> int | None:
        """How many positional arguments it takes at most; ``None``: any number."""
        if any(p.kind == "vararg" for p in self.parameters):
            return None
        return sum(1 for p in self.parameters if p.kind in ("positional", "either"))


@dataclass(frozen=True, slots=True)
class Entry:
    """``name`` is qualified (``math.sqrt``, ``builtins.list.append``); overloads in order, the first that fits counts.

    ``kind``: ``function``, ``class`` (called for an instance), ``method`` (the first parameter is the receiver),
    ``constant``.
    """

    name: str
    kind: str
    signatures: tuple[Signature, ...]
    annotation: str = ""
    """The type of a constant."""


@dataclass(frozen=True, slots=True)
class ModuleModel:
    """All entries of one module by their names inside it (``sqrt``, ``list.append``)."""

    name: str
    entries: dict[str, Entry]
