"""Exits: what a failed guard calls. They box the live values; only then is anything general code.

An exit stands in the module that is compiled for compile time, so the optimised body pays one call instruction for a
guard. Live values
travel in a *buffer*: a resume word, then the objects. An exit from the fast body makes one and runs the rest
(``run``); an exit from the
loops body packs into the buffer that it was entered with and returns to ``run``, so that going back and forth takes
no stack.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppy_compiler.lower.reprs import Repr


@dataclass(frozen=True, slots=True)
class ExitItem:
    """A live value: its number in the function's liveness, how the fast body holds it, whether it gives its
    reference away (else
    the exit takes one), whether a presence bit follows it, whether an object may be null."""

    number: int
    kind: Repr
    owned: bool
    flag: bool
    nullable: bool


@dataclass(frozen=True, slots=True)
class Exit:
    """Entering the twin at resume point ``point`` with ``items``; ``packs`` when it leaves the loops body."""

    point: int
    items: tuple[ExitItem, ...]
    packs: bool
