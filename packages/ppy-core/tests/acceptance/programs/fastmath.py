"""`@ppy.fastmath` on loops long enough for vectors: close to the ordered sum, and exact where floats have no choice."""

import math

import ppy


def ordered_squares(n: int, x: float, step: float) -> float:
    total = 0.0
    for _ in range(n):
        total += x * x
        x += step
    return total


@ppy.fastmath
def squares(n: int, x: float, step: float) -> float:
    total = 0.0
    for _ in range(n):
        total += x * x
        x += step
    return total


def ordered_mixed(n: int, x: float) -> float:
    total = 1.0
    for k in range(n):
        total = total - (x - k) * 0.3 + x * 0.1
    return total


@ppy.fastmath
def mixed(n: int, x: float) -> float:
    total = 1.0
    for k in range(n):
        total = total - (x - k) * 0.3 + x * 0.1
    return total


def ordered_product(n: int, x: float) -> float:
    total = 1.0
    for k in range(n, 0, -1):
        total *= x + k * 1e-7
    return total


@ppy.fastmath
def product(n: int, x: float) -> float:
    total = 1.0
    for k in range(n, 0, -1):
        total *= x + k * 1e-7
    return total


def close(a: float, b: float) -> bool:
    return a == b or abs(a - b) <= 1e-11 * max(abs(a), abs(b))


for n in (0, 1, 2, 3, 7, 64, 65, 100, 1000, 20_000):
    print(
        n,
        close(squares(n, 0.1, 0.3), ordered_squares(n, 0.1, 0.3)),
        close(mixed(n, 0.7), ordered_mixed(n, 0.7)),
        close(product(n, 0.9999999), ordered_product(n, 0.9999999)),
    )


@ppy.fastmath
def repeated(n: int, total: float, term: float) -> float:
    for _ in range(n):
        total += term
    return total


@ppy.fastmath
def difference(n: int, total: float, term: float) -> float:
    for _ in range(n):
        total -= term
    return total


@ppy.fastmath
def scaled(n: int, total: float, term: float) -> float:
    for _ in range(n):
        total *= term
    return total


@ppy.fastmath
def counted(n: int, limit: float) -> tuple[int, float]:
    x, above = -5.0, 0
    for _ in range(n):
        above += 1 if x > limit else 0
        x += 0.5
    return above, x


SPECIAL = (0.0, -0.0, 1.0, -2.0, 2.0**600, math.inf, -math.inf, math.nan)
FACTORS = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan)  # no product of them overflows in any order
for n in (0, 1, 2, 5, 64, 67, 1000):
    for first in SPECIAL:
        print(n, [repeated(n, first, term) for term in SPECIAL])
        print(n, [difference(n, first, term) for term in SPECIAL])
        print(n, [scaled(n, first, term) for term in FACTORS])
    print(n, [counted(n, limit) for limit in SPECIAL])


@ppy.fastmath
def identities(x: float, y: float) -> tuple[float, float, float, float, float, bool, bool]:
    return x - x, x * 0.0, x + 0.0, -x + 0.0, (x + y) - y, x == x, x != y


for x in SPECIAL:
    print([identities(x, y) for y in (1.0, math.inf, math.nan, -0.0)])
