"""Instances of the library's class, and of one that is derived from it."""

from foolib import Point, show


class Odd(Point):
    def __add__(self, other):
        return Odd(self.x - other.x, self.y)


def walk(p: Point, step: Point, n: int) -> Point:
    for _ in range(n):
        p = p + step
    return p


show(walk(Point(0.0, 0.0), Point(0.5, 2.0), 10))
show(walk(Odd(0.0, 0.0), Point(0.5, 2.0), 10))
