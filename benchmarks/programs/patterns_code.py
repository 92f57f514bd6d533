"""Everyday patterns of calls, objects, numbers, exceptions, each a small function of n.

`kernel(which, n)` runs the one with that number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from timing import main

total_of_calls = 0


def generator(n: int) -> int:
    def g(k):
        k += 1
        while k > 1:
            k -= 1
            yield k

    t = 0
    for x in g(n):
        t += x
    return t


def exceptions(n: int) -> int:
    c = 0
    for i in range(n):
        try:
            if i % 2:
                raise ValueError(i)
        except ValueError:
            c += 1
    return c


def try_noraise(n: int) -> int:
    t = 0
    for i in range(n):
        try:
            t += i
        finally:
            t -= 1
    return t


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self):
        return self.x * self.x + self.y * self.y


def objects(n: int) -> int:
    t = 0
    for i in range(n):
        p = Point(i, 1)
        t += p.norm()
    return t


def attrs(n: int) -> int:
    p = Point(1, 2)
    for _ in range(n):
        p.x += p.y
    return p.x


@dataclass
class Pair:
    a: int
    b: int


def dataclasses(n: int) -> int:
    t = 0
    for i in range(n):
        t += Pair(i, 2).b
    return t


def closure(n: int) -> int:
    def add(x):
        return x + n

    t = 0
    for i in range(n):
        t += add(i)
    return t


def nonlocal_counter(n: int) -> int:
    c = 0

    def inc():
        nonlocal c
        c += 1

    for _ in range(n):
        inc()
    return c


def lambdas(n: int) -> int:
    f = (lambda x: x + 1,)[0]
    t = 0
    for _ in range(n):
        t = f(t)
    return t


def kwcall(a, b=2, *, c=3):
    return a + b + c


def kwargs_calls(n: int) -> int:
    t = 0
    for i in range(n):
        t += kwcall(i, c=1)
    return t


def star(*args):
    return len(args)


def star_calls(n: int) -> int:
    t = 0
    for i in range(n):
        t += star(i, 1, 2)
    return t


def tuples(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % 1000003
    return a


def floats(n: int) -> float:
    x = 0.0
    for i in range(n):
        x = x * 0.5 + i / 3
    return round(x, 3)


def floordiv(n: int) -> int:
    t = 0
    for i in range(1, n):
        t += (n // i) % 7
    return t


def isinstance_chain(n: int) -> int:
    xs = [1, "a", 2.0, None]
    t = 0
    for i in range(n):
        x = xs[i % 4]
        if isinstance(x, int):
            t += 1
        elif isinstance(x, str):
            t += 2
    return t


def minmax(n: int) -> int:
    t = 0
    for i in range(n):
        t += min(i, 100) + max(i, 5) + abs(-i)
    return t


def match_statement(n: int) -> int:
    t = 0
    for i in range(n):
        match i % 4:
            case 0:
                t += 1
            case 1 | 2:
                t += 2
            case _:
                t += 3
    return t


def recursion(n: int) -> int:
    def depth(k):
        return 0 if k == 0 else 1 + depth(k - 1)

    t = 0
    for _ in range(n // 100):
        t += depth(100)
    return t


def with_statement(n: int) -> int:
    class C:
        def __enter__(self):
            return 1

        def __exit__(self, *a):
            return False

    c = C()
    t = 0
    for _ in range(n):
        with c as v:
            t += v
    return t


def globals_inc(n: int) -> int:
    global total_of_calls
    for _ in range(n):
        total_of_calls += 1
    counted = total_of_calls
    total_of_calls = 0
    return counted


def powers(n: int) -> int:
    t = 0
    for i in range(n):
        t += i**2 % 10
    return t


def mixed(n: int) -> float:
    x = 0
    for i in range(n):
        x = x + 0.5 if i % 2 else x + 1
    return x


PATTERNS: list[Callable[[int], float]] = [
    generator,
    exceptions,
    try_noraise,
    objects,
    attrs,
    dataclasses,
    closure,
    nonlocal_counter,
    lambdas,
    kwargs_calls,
    star_calls,
    tuples,
    floats,
    floordiv,
    isinstance_chain,
    minmax,
    match_statement,
    recursion,
    with_statement,
    globals_inc,
    powers,
    mixed,
]


def kernel(which: int, n: int) -> float:
    return PATTERNS[which](n)


if __name__ == "__main__":
    main(kernel)
