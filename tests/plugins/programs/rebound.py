"""The library's function is somebody else's: before the first call, between two, inside a loop."""

import types

import tinylib


def total(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        if i == 5:
            between(n)
        s += tinylib.root(x)
    return s


def between(n):
    if n == 10:
        tinylib.root = lambda x: 100.0


def call(x: float) -> float:
    return tinylib.cube(x) + 1.0


original, cube = tinylib.root, tinylib.cube
tinylib.cube = lambda x: -1.0
print(call(2.0))
tinylib.cube = cube
print(call(2.0))
tinylib.cube = tinylib.root
print(call(4.0))
tinylib.cube = types.FunctionType(cube.__code__, {"__name__": "tinylib", "__file__": tinylib.__file__})
print(call(2.0))
exec("def cube(x):\n    return 7.0\n", tinylib.__dict__)
print(call(2.0))
tinylib.cube = cube
print(call(2.0))
print(total(4.0, 7), total(4.0, 10), total(4.0, 7))
tinylib.root = original
print(total(4.0, 7))
code = cube.__code__
cube.__code__ = (lambda x: x - 1.0).__code__
print(call(2.0))
cube.__code__ = code
print(call(2.0))


def divided(x: float) -> float:
    return tinylib.quotient(x)


print(divided(3.0))
tinylib.quotient.__defaults__ = (4.0,)
print(divided(3.0))
