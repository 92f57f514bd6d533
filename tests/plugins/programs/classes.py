"""Instances of a library's class: typed, operators lowered while the class is what the library made."""

import tinylib
from tinylib import Vector


def same(a: Vector, b: Vector) -> bool:
    return a << b


def walk(v: Vector, n: int) -> float:
    s = 0.0
    step = Vector(0.5, 0.25)
    for i in range(n):
        v = v + step
        s += v.x + v[1] + v.dimensions + v.norm()
    return s


class Sub(Vector):
    def __lshift__(self, other):
        return "sub"

    def __getitem__(self, index):
        return 10


class Other:
    x = 1

    def __lshift__(self, other):
        return "other"


v, w = Vector(1.0, 2.0), Vector(3.0, 4.0)
print(same(v, v), same(v, w), walk(v, 10))
print(same(Sub(1.0, 2.0), v), same(v, Sub(1.0, 2.0)), same(Other(), v), same(1, 2), walk(Sub(1.0, 1.0), 2))
v.x = 7
print(walk(v, 2))
lshift = Vector.__lshift__
Vector.__lshift__ = lambda a, b: "patched"
print(same(v, v), same(v, w))
Vector.__lshift__ = lshift
print(same(v, v), same(v, w))
norm = Vector.norm
Vector.norm = lambda self: 1000.0
print(walk(v, 2))
Vector.norm = norm
Vector.__add__ = lambda a, b: "text"
try:
    walk(v, 2)
except AttributeError as error:
    print(error)
tinylib.Vector = Sub
print(same(Sub(0.0, 0.0), v))
