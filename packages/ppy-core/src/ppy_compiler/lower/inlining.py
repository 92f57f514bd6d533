"""`@ppy.inline`: which direct calls are expanded in place.

A function that is expanded has, beside its fast body, a *copy* of it, which the backend puts into every module that
calls it and expands there. The copy is the same code: it leaves for the function's own twin, its errors name the
function's own lines, and the call keeps its guard on the global. The functions that a copy calls are expanded in it as
well, but for those that can call themselves: their copies call them out of line, so the recursion is expanded one level
deep.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering

MOST_EXPANDED = 4000
"""Operations of a copy with everything that is expanded in it."""


@dataclass(slots=True)
class Expansion:
    """What becomes of the calls of one function. ``wanted``: they are expanded. ``recurs``: it can call itself through
    functions that are expanded. ``copied``: another function expands one."""

    wanted: bool = False
    recurs: bool = False
    copied: bool = False


def settle(functions: Collection[FunctionLowering]) -> None:
    """Decide on all functions of a unit, whose direct calls are known."""
    inline = [fn for fn in functions if fn.directives.inline]
    for fn in inline:
        fn.expansion.recurs = _reaches_itself(fn)
    for fn in inline:
        fn.expansion.wanted = _size(fn) <= MOST_EXPANDED
    for fn in functions:
        for target in fn.direct.values():
            target.expansion.copied |= target is not fn and target.expansion.wanted


def expanded(target: FunctionLowering, *, in_copy: bool) -> bool:
    """Whether a direct call of ``target`` by another function is expanded; ``in_copy``: in a copy of that."""
    return target.expansion.wanted and not (in_copy and target.expansion.recurs)


def copies(fn: FunctionLowering) -> Iterator[FunctionLowering]:
    """The functions whose copies stand in the modules of ``fn``."""
    seen, work = {fn.key}, [fn]
    while work:
        for target in work.pop().direct.values():
            if target.key not in seen and target.expansion.wanted:
                seen.add(target.key)
                work.append(target)
                yield target


def _callees(fn: FunctionLowering) -> Iterator[FunctionLowering]:
    """The functions whose calls ``fn`` might expand, once for each call."""
    return (target for target in fn.direct.values() if target.directives.inline)


def _reaches_itself(fn: FunctionLowering) -> bool:
    seen: set[str] = set()
    work = [fn]
    while work:
        for target in _callees(work.pop()):
            if target is fn:
                return True
            if target.key not in seen:
                seen.add(target.key)
                work.append(target)
    return False


def _size(fn: FunctionLowering) -> int:
    """The operations of ``fn`` with those of everything that is expanded in it; more than may be, where it is much."""
    total, work = 0, [fn]
    while work and total <= MOST_EXPANDED:
        current = work.pop()
        total += current.size
        work += (target for target in _callees(current) if not target.expansion.recurs)
    return total
