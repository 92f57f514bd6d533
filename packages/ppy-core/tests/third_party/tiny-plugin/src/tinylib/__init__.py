"""A library that the plugin models."""

from __future__ import annotations

LIMIT = 2.5


def root(x: float) -> float:
    return float(x) ** 0.5


def shout(text: str) -> str:
    print(text.upper())
    return text


def never() -> None:
    raise RuntimeError("never call this")
