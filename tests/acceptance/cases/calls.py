"""Passing arguments in every way, and every way to pass them wrongly; functions changed while compiled code runs."""

import copy
import functools
import inspect
import pickle
import weakref
from contextlib import contextmanager, suppress

import ppy
from dataclasses import dataclass, field


def plain(a: int, b: int = 2, *args, c, d: int = 4, **kw):
    return a, b, args, c, d, kw


def positional(a: int, b: int, /, c: int = 3):
    return a + b + c


def add(a: int, b: int) -> int:
    return a + b


def none():
    return "none"


def mutable(x, items=[]):
    items.append(x)
    return items


def attempt(f, *args, **kw):
    try:
        print(f(*args, **kw))
    except TypeError as e:
        print("TypeError", e)


for args, kw in [((), {}), ((1,), {}), ((1,), {"c": 1}), ((1, 2, 3, 4), {"c": 5, "z": 6}), ((1,), {"a": 2, "c": 3}), ((), {"a": 1, "c": 2}),
                 ((1,), {"b": 9, "c": 1, "d": 7})]:
    attempt(plain, *args, **kw)
for args, kw in [((1, 2), {}), ((1,), {}), ((1, 2, 3, 4), {}), ((1,), {"b": 2}), ((1, 2), {"c": 9}), ((1, 2), {"x": 1}), ((), {"a": 1, "b": 2})]:
    attempt(positional, *args, **kw)
attempt(add, 1)
attempt(add, 1, 2, 3)
attempt(add, "a", "b")
attempt(add, 2**63 - 1, 1)
attempt(add, b=2, a=1)
attempt(add, 1, a=2)
attempt(none, 1)
attempt(none, **{"x": 1})
attempt(add, *[1, 2])
attempt(add, *{"a": 1, "b": 2})
for bad in (lambda: add(*3), lambda: add(**3), lambda: add(**{1: 2}), lambda: add(*[1], **{"a": 1}), lambda: plain(1, **{"c": 1}, **{"c": 2}),
            lambda one=1: one(2), lambda: none(*None)):
    attempt(bad)
print(mutable(1), mutable(2), mutable(3, []), mutable.__defaults__)


def caller(n: int):
    out = 0
    for i in range(n):
        out += add(i, 1)
        if i == 2:
            add.__defaults__ = (10,)
        if i == 3:
            out += add(1)
        if i == 4:
            add.__code__ = (lambda a, b: a * b * 1000).__code__
    return out


def shadowed(n: int):
    global add
    out = []
    for i in range(n):
        out.append(add(i, 2))
        if i == 1:
            add = max
    return out


old = add.__code__
print(caller(7), add(3))
add.__code__, add.__defaults__ = old, None
print(add(1, 2), shadowed(4))


@functools.cache
def cached(n: int) -> int:
    return n if n < 2 else cached(n - 1) + cached(n - 2)


@contextmanager
def managed(n: int):
    print("enter", n)
    try:
        yield n * 2
    finally:
        print("exit", n)


@dataclass(order=True)
class Point:
    x: int
    y: float = 0.5
    tags: list = field(default_factory=list)

    def norm(self) -> float:
        return self.x * self.x + self.y * self.y

    @property
    def double(self) -> int:
        return self.x * 2

    @double.setter
    def double(self, value: int):
        self.x = value // 2

    @staticmethod
    def origin(n: int = 0):
        return Point(n)

    @classmethod
    def make(cls, *args, **kw):
        return cls(*args, **kw)

    def __call__(self, k: int) -> int:
        return self.x + k


class Base:
    def __init__(self, n: int):
        self.n = n

    def step(self, k: int) -> int:
        return self.n + k

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return hash(self.n)

    def __add__(self, other):
        return type(self)(self.n + other.n)

    def __getattr__(self, name):
        return f"no {name}"


class Derived(Base):
    def step(self, k: int) -> int:
        return super().step(k) * 2 + super(Derived, self).step(1)

    def __init__(self, n: int):
        super().__init__(n + 1)


print(cached(80), cached.cache_info())
with managed(3) as m, suppress(ZeroDivisionError):
    print(m, 1 // (m - 6))
p = Point(3)
p.double = 11
print(p, p.norm(), p.double, Point.origin(), Point.make(1, y=2.0), p(4), Point(1) < Point(2), copy.copy(p) == p)
d = Derived(4)
print(d.step(2), (d + d).n, d == Derived(4), len({d, Derived(4)}), d.missing)
Base.step = lambda self, k: 100
print(d.step(2))
d.step = lambda k: "instance"
print(d.step(2))
print(pickle.loads(pickle.dumps(plain)) is plain, weakref.ref(plain)() is plain, inspect.signature(plain), plain.__name__)
print(inspect.signature(Point.norm), add.__annotations__ if hasattr(add, "__annotations__") else add)


def counter(start: int):
    n = start

    def step(k: int = 1):
        nonlocal n
        n += k
        return n

    return step, lambda: n


step, get = counter(2**63 - 2)
print(step(), step(5), get(), [f() for f in [lambda i=i: i for i in range(3)]], [f() for f in [lambda: i for i in range(3)]])


def generated(n: int):
    for i in range(n):
        got = yield i
        if got:
            print("got", got)
    return "done"


def consumer(n: int):
    total = sum(generated(n))
    g = generated(2)
    next(g)
    total += g.send("x")
    try:
        next(g)
    except StopIteration as e:
        print(e.value)
    return total, list(zip(generated(3), generated(2))), [*generated(2)], max(x * x for x in generated(4))


print(consumer(5))


def recursion(n):
    return recursion(n + 1)


try:
    recursion(0)
except RecursionError as e:
    print(type(e).__name__)
print(add(5, 6))


# Annotations that promise a range, and calls that break the promise.


def scaled(x: ppy.u8, n: int):
    found = 0
    for k in range(n):
        found = x * 2**50 + k
    return found


def narrow(x: ppy.i8, y: ppy.u64):
    for _ in range(2):
        x = x * 2**55
    return x, y


def promises(big, small):
    print(scaled(255, 2), scaled(2**40, 2), scaled(big, 2), scaled(small, 2))
    print(narrow(-128, 0), narrow(200, 2**64 - 1), narrow(big, big), narrow(small, -small))


promises(2**41, 3)
for function, args in ((scaled, (2**40, 2)), (scaled, (-1, 2)), (narrow, (200, 1)), (narrow, (-129, -1)), (narrow, (1, 2))):
    print(function(*args))
