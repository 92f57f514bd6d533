"""A class that was changed before the first look at it."""

from tinylib import Vector


def same(a: Vector, b: Vector) -> bool:
    return a << b


Vector.__lshift__ = lambda a, b: "patched"
print(same(Vector(1.0, 2.0), Vector(1.0, 2.0)))
del Vector.__lshift__
try:
    same(Vector(1.0, 2.0), Vector(1.0, 2.0))
except TypeError as error:
    print(error)
