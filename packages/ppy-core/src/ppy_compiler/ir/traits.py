"""What passes ask about an operation without knowing which one it is."""

from __future__ import annotations

import enum


class Trait(enum.Flag):
    """Facts that hold for every instance of an operation class."""

    NONE = 0
    TERMINATOR = enum.auto()
    """Ends its block."""
    RAISES = enum.auto()
    """May raise a Python exception; with an ``unwind`` successor control goes there, without one out of the
    function.
    """
    PURE = enum.auto()
    """No effect and no exception: may be removed when unused, duplicated and moved."""
    ALLOCATES = enum.auto()
    """Makes a fresh object; otherwise pure. May be removed when unused, never merged with a twin of itself."""
    CONSTANT = enum.auto()
    """A literal."""
    RUNS_CODE = enum.auto()
    """May run arbitrary Python code: everything the program can reach may have changed afterwards."""
    SYMBOL = enum.auto()
    """Defines a name (attribute ``sym``) in the enclosing module."""
    ISOLATED = enum.auto()
    """Its regions use no value defined outside."""
