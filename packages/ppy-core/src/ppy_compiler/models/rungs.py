"""The decorators of the stubs. A stub is read as syntax, never run; these give the words their signatures for type
checkers.

Exactly one per entry::

    op(name)        an IR operation (or a short sequence of them) does it
    runtime(name)   a C function does it: of the support library (``ppy_...``) or of CPython's C API
    source(name)    a prelude function written in Python and compiled by PPY does it
    custom(name)    a named handler of lowering does it, because the call's shape matters
    python(reason)  CPython's own call does it; ``reason`` is what users read

Keywords: ``effects``: ``pure`` (allocation and exceptions only, the default), ``reads`` (reads what others may
change), ``writes`` (changes
an argument), ``io``, ``runs`` (may run any Python code), or several with ``+``. ``raises``: exception names, empty
when it cannot raise on these arguments.
``result``: the inference rule that refines the declared result (``infer.transfer.rules``). ``borrows``: the result is
owned by an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

RUNGS = ("op", "runtime", "source", "custom", "python")
EFFECTS = ("pure", "reads", "writes", "io", "runs")


def op(
    name: str, *, effects: str = "pure", raises: tuple[str, ...] = (), result: str = "", borrows: bool = False
) -> Callable[[T], T]:
    """An IR operation does it."""
    return _same


def runtime(
    name: str, *, effects: str = "pure", raises: tuple[str, ...] = (), result: str = "", borrows: bool = False
) -> Callable[[T], T]:
    """A C function does it."""
    return _same


def source(
    name: str, *, effects: str = "pure", raises: tuple[str, ...] = (), result: str = "", borrows: bool = False
) -> Callable[[T], T]:
    """A prelude function in Python does it."""
    return _same


def custom(
    name: str, *, effects: str = "pure", raises: tuple[str, ...] = (), result: str = "", borrows: bool = False
) -> Callable[[T], T]:
    """A handler of lowering does it."""
    return _same


def python(
    reason: str,
    *,
    effects: str = "runs",
    raises: tuple[str, ...] = ("Exception",),
    result: str = "",
    borrows: bool = False,
) -> Callable[[T], T]:
    """CPython's own call does it."""
    return _same


def _same(entry: Any) -> Any:
    return entry
