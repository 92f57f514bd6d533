"""Opens the libraries that the backend built. It runs where the compiler is not: import nothing of it here."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType


def load(path: str, support: str | None) -> Callable[[dict[str, object], CodeType, str], object]:
    """What runs a module that was built to `path`: called with its namespace, its code and its name. An answer of
    NotImplemented leaves the module to CPython."""
    with open(path, encoding="utf-8") as file:
        assert file.readline().startswith("; ")

    def execute(namespace: dict[str, object], code: CodeType, name: str) -> object:
        exec(code, namespace)
        return None

    return execute
