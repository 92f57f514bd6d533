"""A library that the plugin models."""

from __future__ import annotations

import math

LIMIT = 2.5


def root(x: float) -> float:
    return math.sqrt(x)


def cube(x: float) -> float:
    return x * x * x


def quotient(a: float, b: float = 2.0) -> float:
    return a / b


def scaled(n: int, by: int) -> int:
    """What `tiny_scaled` of the C library does, too."""
    return (n * by) % 1000


def pick(flag: bool, a: object, b: object) -> object:
    return a if flag else b


def shout(text: str) -> str:
    print(text.upper())
    return text


def never() -> None:
    raise RuntimeError("never call this")


def traced(function):
    """A decorator that gives back the function itself."""
    return function


square_root = root


class Vector:
    """Two numbers, and operators whose results the plugin knows."""

    __slots__ = ("x", "y")

    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __lshift__(self, other: Vector) -> bool:
        """Whether both are one object."""
        return self is other

    def __getitem__(self, index: int) -> float:
        return (self.x, self.y)[index]

    def norm(self) -> float:
        return root(self.x * self.x + self.y * self.y)

    @property
    def dimensions(self) -> int:
        return 2
