"""Operations of a dialect: numbers, objects, constants, keywords, and what declines."""

import traceback
import weakref

import tinylib
from tinylib import cube, pick, quotient


class Thing:
    pass


def numbers(x: float, n: int) -> float:
    s = cube(2.0)
    for i in range(n):
        s += cube(x) + quotient(x) + quotient(b=x, a=1.0) + quotient(x, b=3.0) + quotient(x, 4.0)
    return s


def choose(x: float, a, b):
    return pick(x > 1.0, a, b)


print(numbers(1.5, 10), numbers(-0.0, 0))
for zero in (0.0, -0.0):
    try:
        numbers(zero, 1)
    except ZeroDivisionError:
        traceback.print_exc()
print(numbers(float("nan"), 1), numbers(float("inf"), 2))
for bad in (1, "a", 2**70):
    try:
        print(numbers(bad, 1))
    except TypeError as error:
        print(error)
a, b = Thing(), Thing()
gone = weakref.ref(b)
print(choose(2.0, a, b) is a, choose(0.0, a, b) is b)
kept = choose(0.0, a, b)
del b
print(gone() is kept)
del kept
print(gone())
print(choose(2.0, 1, "x"), choose(0.0, 1, "x"), choose(0.0, 1.5, 2.5))
print(tinylib.pick(True, 1, 2), pick([], 1, 2))
