"""A stand-in for the library, so that the tests run before the model speaks of the real one."""

from __future__ import annotations

import math

UNIT = 2.0


def root(x: float) -> float:
    return math.sqrt(x)


def cube(x: float) -> float:
    return x * x * x


def show(point: Point) -> None:
    print(f"({point.x}, {point.y})")


class Point:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)
