"""Variables that several functions share: module globals and closure cells, as the join over everything stored into
them."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from ppy_compiler.infer.atoms import NULL
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact
from ppy_compiler.infer.lattice import join, without, word

Key = Hashable


class SharedVariables:
    """``changed`` is called with the functions that read a variable when its fact has grown."""

    def __init__(self, changed: Callable[[set[str]], None]) -> None:
        self._facts: dict[Key, Fact] = {}
        self._readers: dict[Key, set[str]] = {}
        self._changed = changed
        self.final = False
        """Once nothing more will be stored: a variable without a fact can hold anything."""

    def store(self, key: Key, fact: Fact, *, once: bool) -> None:
        """``fact`` is stored; ``once``: by the only store there is, so that a constant stays one."""
        old = self._facts.get(key, NEVER)
        new = without(fact, NULL)
        new = join(old, new if once else word(new))
        if new == old:
            return
        if once and old.types:
            new = word(new)
        self._facts[key] = new
        self._changed(self._readers.get(key, set()))

    def load(self, key: Key, reader: str) -> Fact:
        self._readers.setdefault(key, set()).add(reader)
        found = self._facts.get(key, NEVER)
        return OBJECT if not found.types and self.final else found

    def get(self, key: Key) -> Fact:
        """The fact found so far."""
        return self._facts.get(key, NEVER)

    def finish(self) -> None:
        """Nothing more will be stored: wake the readers of what never was."""
        self.final = True
        for key, readers in self._readers.items():
            if not self._facts.get(key, NEVER).types:
                self._changed(readers)
