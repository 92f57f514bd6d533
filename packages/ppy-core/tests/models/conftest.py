"""What a value's fact must admit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ppy_compiler.infer import Fact
from ppy_compiler.infer import atoms as at

OPAQUE = at.ITERATOR | at.VIEW | at.FUNCTION | at.BUILTIN | at.MODULE | at.CLASS | at.INSTANCE | at.OTHER


def admits(fact: Fact, value: object) -> bool:
    """Whether ``value`` has a type of the fact, and lies in its range."""
    atom = at.BY_CLASS.get(type(value))
    if atom is None:
        return bool(fact.types & OPAQUE)
    if not fact.types & atom:
        return False
    if isinstance(value, int):
        return (fact.lo is None or fact.lo <= value) and (fact.hi is None or value <= fact.hi)
    if isinstance(value, tuple) and fact.items is not None:
        return len(value) == len(fact.items) and all(map(admits, fact.items, value))
    return True


@pytest.fixture(scope="session")
def contains() -> Callable[[Fact, object], bool]:
    return admits
