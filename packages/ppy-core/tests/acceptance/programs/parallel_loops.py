"""Loops that may run on threads: reductions, what variables hold afterwards, overflow, exceptions, globals."""

import ppy
from math import exp, sqrt

LIMIT = 7
SCALE = 0.5


def heavy(i: int) -> int:
    """Costs more by the compiler's estimate than it does."""
    found = i
    once = int(i * 0.0 + 1.0)
    for a in range(once):
        for b in range(once):
            for c in range(once + 1):
                found += a + b + c
    return found % 1000


def deep(n: int) -> int:
    return 0 if n <= 0 else 1 + deep(n - 1)


def checked(i: int) -> int:
    if i == 150:
        raise ValueError(f"not {i}")
    return heavy(i)


@ppy.parallel
def sums(n: int) -> tuple[int, int, int]:
    up = 5
    down = -3
    odd = 0
    for i in range(n):
        h = heavy(i)
        up += h
        down -= h * 2
        if h & 1:
            odd += 1
        elif h % 3 == 0:
            odd -= 2
    return up, down, odd


@ppy.parallel
def bits(n: int) -> tuple[int, int, int, int, bool]:
    both = -1
    some = 0
    odd = 12
    product = 3
    flag = False
    for i in range(1, n):
        h = heavy(i)
        both &= h | 1032
        some |= h << 3
        odd ^= h
        product *= -1 if h & 1 else 1
        flag |= h == 77
    return both, some, odd, product, flag


@ppy.parallel
def extremes(n: int, seed: int) -> tuple[int, int]:
    least = 10**6
    greatest = -seed
    for i in range(n):
        h = heavy(i * seed)
        least = min(least, h)
        greatest = max(h, greatest)
    return least, greatest


@ppy.parallel
def afterwards(start: int, stop: int, step: int) -> tuple[int, int, float, bool, int]:
    i = -1
    k = -2
    x = -0.5
    even = False
    total = 0
    for i in range(start, stop, step):
        k = heavy(i) * 2
        x = k / 4.0
        even = k % 4 == 0
        total += k
    else:
        total += 1000000
    return i, k, x, even, total


@ppy.parallel
def nested(n: int, m: int) -> int:
    total = 0
    for i in range(n):
        for j in range(m):
            if (i + j) % 3 == 0:
                continue
            for _ in range(2):
                total += heavy(i * m + j)
    return total


@ppy.parallel
def globals_too(n: int) -> tuple[int, float]:
    total = 0
    last = 0.0
    for i in range(n):
        total += heavy(i) * LIMIT
        last = heavy(i) * SCALE
    return total, last


@ppy.parallel
def overflows(n: int, big: int) -> int:
    total = 0
    for i in range(n):
        total += heavy(i) * (big if i > n - 3 else 1)
    return total


@ppy.parallel
def product(n: int) -> int:
    found = 1
    for i in range(1, n):
        found *= heavy(i) % 9 + 2
    return found


@ppy.parallel
def divides(n: int, at: int) -> int:
    total = 0
    for i in range(n):
        total += heavy(i) // (i - at)
    return total


@ppy.parallel
def divides_floats(n: int, at: float) -> float:
    last = 0.0
    for i in range(n):
        last = heavy(i) / (i - at) + heavy(i) % (i + 1.5) + heavy(i) // 2.5
    return last


@ppy.parallel
def catches(n: int, at: int) -> int:
    total = 0
    for i in range(n):
        try:
            total += heavy(i) // (i - at)
        except ZeroDivisionError:
            total += 100
    return total


@ppy.parallel
def raises(n: int) -> int:
    total = 0
    for i in range(n):
        total += checked(i)
    return total


@ppy.parallel
def asserts(n: int, most: int) -> int:
    total = 0
    for i in range(n):
        h = heavy(i)
        assert h < most, h
        total += h
    return total


@ppy.parallel
def recursion(n: int, depth: int) -> int:
    total = 0
    for i in range(n):
        total += deep(depth) + heavy(i)
    return total


@ppy.parallel
def roots(n: int) -> float:
    last = 0.0
    for i in range(n):
        last = sqrt(heavy(i)) + exp(-heavy(i) / 100.0)
    return last


@ppy.parallel
def negative_root(n: int) -> float:
    last = 0.0
    for i in range(n):
        last = sqrt(heavy(i) - 5.0)
    return last


@ppy.parallel
@ppy.fastmath
def float_sums(n: int) -> tuple[float, float, float, float]:
    total = 0.25
    factor = 1.0
    least = 1e9
    greatest = -1e9
    for i in range(n):
        total += heavy(i) / 4.0
        factor *= 0.5 if heavy(i) & 1 else 2.0
        least = min(least, heavy(i) * 0.5)
        greatest = max(greatest, heavy(i) * 0.5)
    return total, factor, least, greatest


@ppy.parallel
def printing(n: int) -> int:
    total = 0
    for t in range(3):
        for i in range(n):
            total += heavy(i + t)
        print("round", t, total)
    return total


@ppy.parallel
def unset(n: int) -> int:
    for i in range(n):
        last = heavy(i)
    return last + i


@ppy.parallel
def never(n: int) -> int:
    """Branches that no value takes."""
    total = 0
    for i in range(n):
        h = heavy(i)
        if h > 5000:
            total -= 1
            if h > 6000:
                break
        total += h if h < 1000 else 7
        total += h * 3 if h > 7000 else h + 1
    return total


@ppy.parallel
def discards(n: int) -> int:
    """A variable of several types that nobody looks at."""
    left = "text"
    total = 0
    for i in range(n):
        if i % 3 == 0:
            left = i
        total += heavy(i)
    left = None
    return total


@ppy.parallel
def sequential(n: int) -> int:
    """Iterations that depend on each other stay in order."""
    a = 0
    b = 1
    for i in range(n):
        a, b = b, (a + b + heavy(i)) % 1000003
    return a


@ppy.parallel
def found_first(n: int, wanted: int) -> int:
    for i in range(n):
        if heavy(i) == wanted:
            return i
    return -1


def attempt(f, *arguments):
    try:
        print(f.__name__, arguments, f(*arguments))
    except Exception as error:
        print(f.__name__, arguments, type(error).__name__, error)


for size in (0, 1, 2, 7, 150, 400):
    for function in (sums, bits, product, globals_too, roots, float_sums, printing, unset, sequential, raises):
        attempt(function, size)
    attempt(never, size)
    attempt(discards, size)
    attempt(extremes, size, 7)
    attempt(nested, size // 8, 9)
    attempt(overflows, size, 1)
    attempt(overflows, size, 2**62)
    attempt(divides, size, 500)
    attempt(divides, size, 120)
    attempt(divides_floats, size, 500.0)
    attempt(divides_floats, size, 120.0)
    attempt(catches, size, 3)
    attempt(asserts, size, 5000)
    attempt(asserts, size, 300)
    attempt(found_first, size, 222)
    attempt(afterwards, 0, size, 1)
    attempt(afterwards, size, -size, -1)
    attempt(afterwards, -3, size * 3, 3)

attempt(afterwards, 2**63 - 1000, 2**63 - 1, 3)
attempt(afterwards, -(2**63), -(2**63) + 900, 2)
attempt(afterwards, 2**63 - 2, 2**63 - 1000, -3)
attempt(afterwards, 2**62, 2**64, 2**60)
attempt(afterwards, 2**70, 2**70 + 300, 1)
attempt(afterwards, 0, 300, 0)
attempt(afterwards, 0, 300.0, 1)
attempt(sums, True)
attempt(sums, "many")
attempt(recursion, 100, 50)
attempt(recursion, 40, 900)
attempt(negative_root, 300)

globals()["LIMIT"] = 8
attempt(globals_too, 300)
globals()["LIMIT"] = "ab"
attempt(globals_too, 30)
globals()["LIMIT"] = 7
globals()["SCALE"] = 2
attempt(globals_too, 300)
globals()["heavy"] = lambda i: -i
attempt(sums, 300)
attempt(extremes, 300, 3)
globals()["min"] = max
attempt(extremes, 300, 3)
