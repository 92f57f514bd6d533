"""Names to things that are made only when asked for.

A registry maps a name to a zero-argument loader, so that listing what exists imports nothing. Registration is
explicit; a second registration of a name is an error that says where both stand. Iteration follows registration.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from ppy_compiler.support.suggest import did_you_mean

T = TypeVar("T")


class DuplicateName(ValueError):
    """A name was registered twice."""


class UnknownName(LookupError):
    """A name that nobody registered."""


class Registry(Generic[T]):
    """`kind` is what the messages call an entry: "dialect", "pass", "command"."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._loaders: dict[str, Callable[[], T]] = {}
        self._places: dict[str, str] = {}
        self._loaded: dict[str, T] = {}

    def register(self, name: str, loader: Callable[[], T], owner: str | None = None) -> None:
        """Add an entry. `owner` names who brings it where that is not the calling code (a distribution, say)."""
        place = owner or _caller()
        if name in self._loaders:
            raise DuplicateName(f"{self.kind} {name!r} is registered twice: by {self._places[name]} and by {place}")
        self._loaders[name] = loader
        self._places[name] = place

    def get(self, name: str) -> T:
        """The entry, loaded on first use; an unknown name raises with a suggestion."""
        if name not in self._loaded:
            loader = self._loaders.get(name)
            if loader is None:
                raise UnknownName(f"there is no {self.kind} {name!r}{did_you_mean(name, self._loaders)}")
            self._loaded[name] = loader()
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._loaders

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaders)

    def __len__(self) -> int:
        return len(self._loaders)


def _caller() -> str:
    frame = sys._getframe(2)
    return f"{frame.f_globals.get('__name__', '?')}, line {frame.f_lineno}"
