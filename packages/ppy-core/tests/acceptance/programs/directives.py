"""Directives about code: what a program does stays what it does."""

import math
import sys
import traceback

import ppy
from ppy import fastmath as relaxed
from ppy import inline, opt


@inline
def square(x: int) -> int:
    return x * x


@ppy.opt(3)
@ppy.inline()
def polynomial(x: int) -> int:
    return square(x) + 3 * square(x + 1)


def calls(n: int) -> int:
    total = 0
    for k in range(n):
        total += polynomial(k) % 11
    return total


print(calls(1000), polynomial(2**40), square(True), square(2**40))

# An argument or a result that is no word: the callee's own general code goes on, then the caller's.


@ppy.inline
def grown(x: int, by: int) -> int:
    y = x * by
    return y + 1


def growth(n: int) -> int:
    x = 3
    for k in range(n):
        x = grown(x, 7)
    return x


print(growth(5), growth(200) % 1000007, growth(60))

# Effects happen once, in order.


@ppy.inline
def noisy(x: int) -> int:
    print("noisy", x)
    return x * x * x


def effects(x: int) -> int:
    return noisy(x) + noisy(x + 1)


print(effects(3))
print(effects(2**31))

# A raise inside an expanded callee shows the callee's frame and line.


@ppy.inline
def inverse(x: int) -> float:
    scaled = x * 2
    return 1.0 / scaled


@ppy.inline
def checked(x: int) -> float:
    if x == 13:
        raise ValueError(f"not {x}")
    return inverse(x - 20)


def sums(start: int, n: int) -> float:
    total = 0.0
    for k in range(start, n):
        try:
            total += checked(k)
        except ZeroDivisionError as error:
            print([(f.name, f.lineno) for f in traceback.extract_tb(error.__traceback__)], error)
            total += 1000.0
    return total


print(sums(14, 30))
for start, n in ((0, 5), (10, 20)):
    try:
        print(sums(start, n))
    except ValueError:
        traceback.print_exc(file=sys.stdout)

# Recursion: one level is expanded; what is too deep is a RecursionError as ever.


@ppy.inline
def depth(n: int) -> int:
    return 0 if n == 0 else depth(n - 1) + 1


@ppy.inline
def even(n: int) -> bool:
    return True if n == 0 else odd(n - 1)


@ppy.inline
def odd(n: int) -> bool:
    return False if n == 0 else even(n - 1)


def recursion(n: int) -> tuple[int, bool]:
    return depth(n), even(n)


print(recursion(300), recursion(301))


@ppy.inline
def forever(n: int) -> int:
    return forever(n + 1) + 1


def start_forever(n: int) -> int:
    return forever(n)


try:
    start_forever(1)
except RecursionError as error:
    print(type(error).__name__)

# Rebinding the name is seen, also from inside an expanded callee.


@ppy.inline
def step(x: int) -> int:
    return x + 1


def walk(n: int) -> int:
    total = 0
    for k in range(n):
        total += step(k)
        if k == 5:
            rebind()
    return total


def rebind() -> None:
    global step
    step = lambda x: 100 * x


print(walk(5), walk(10), walk(5))

# Levels, and no expansion at all.


@ppy.opt(0)
def slow(n: int) -> int:
    total = 0
    for k in range(n):
        total += square(k) - polynomial(k % 10)
    return total


@ppy.noinline
@opt(level=1)
def apart(x: int) -> int:
    return x - 1 if x < 2 else apart(x - 1) + apart(x - 2)


@ppy.opt(2)
def mixed(n: int) -> int:
    return slow(n) + apart(n % 15)


print(slow(1000), apart(12), mixed(100), slow(3_000_000))

# Floats that may be reassociated: whole numbers add up exactly in any order; NaN, infinities, zeros mean what they do.


@relaxed()
def total(n: int, first: float, step: float) -> float:
    found = first
    for k in range(n):
        found += k * step
    return found


@ppy.fastmath
def last_is(n: int, last: float, sign: float) -> float:
    found = -0.0
    for k in range(n):
        found += last if k == n - 1 else -0.0
    return -found * sign


@ppy.fastmath
def cancelled(x: float, y: float) -> float:
    return (x + y) - x


print(total(1000, 0.0, 1.0), total(100_000, 5.0, 2.0), total(3, math.inf, -1.0), total(50, math.nan, 1.0))
for last in (0.0, -0.0, math.inf, -math.inf, math.nan, 3.0):
    print(last_is(40, last, 1.0), last_is(1, last, -1.0))
print(cancelled(math.inf, 1.0), cancelled(1.0, math.inf), cancelled(0.0, -0.0), cancelled(math.nan, 1.0))
print(math.copysign(1.0, total(0, -0.0, 1.0)), math.copysign(1.0, total(1, -0.0, 1.0)))

# On methods and nested functions, in any order and form.


class Point:
    def __init__(self, x: int) -> None:
        self.x = x

    @ppy.inline
    @ppy.opt(1)
    def moved(self, by: int) -> int:
        return self.x + by * by

    @staticmethod
    @ppy.noinline()
    @ppy.fastmath
    def half(x: float) -> float:
        return x * 0.5

    @ppy.opt(0)
    @classmethod
    def made(cls, x: int) -> "Point":
        return cls(x * x)


def nested(n: int) -> int:
    @ppy.inline
    def inner(k: int) -> int:
        return k * n

    @ppy.fastmath
    @ppy.opt(3)
    def other(k: float) -> float:
        return k * 0.25

    return sum(inner(k) for k in range(n)) + int(other(8.0))


print(Point(3).moved(4), Point.half(3.0), Point.made(5).x, nested(10))
print(square.__ppy__, polynomial.__ppy__, apart.__ppy__, total.__ppy__, square.__name__)
for level in (4, -1, "2"):
    try:
        ppy.opt(level)
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
