"""What stands among a unit's constants for things that are found when the unit is loaded, or first used."""

from __future__ import annotations

from typing import NamedTuple


class Builtin(str):
    """Stands for the built-in object of this dotted name."""

    __slots__ = ()


class Library(str):
    """Stands for the slot of the function or class that a library defines under this dotted name."""

    __slots__ = ()


class Extern(NamedTuple):
    """Stands for the slot of a C function: the library's top-level module, the file's path from where that is
    installed, the symbol."""

    module: str
    path: str
    symbol: str
