"""`tinylib.root` as `math.sqrt`: any argument, and errors that the library raises itself."""

import traceback

import tinylib
from tinylib import square_root


def total(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        s += tinylib.root(x + i) + square_root(x)
    return s


def one(x):
    return tinylib.root(x) + 1


class Odd(float):
    def __float__(self):
        return 9.0


print(total(2.0, 100), one(2), one(2.0), one(True), one(2**70), one(Odd(4.0)), one(float("inf")), one(float("nan")))
print(total(Odd(4.0), 3), total(3, 3))
for bad in (-1.0, -5, "text", None, 2**4000):
    try:
        one(bad)
    except Exception:
        traceback.print_exc()
try:
    print(total(-1.0, 2))
except ValueError:
    traceback.print_exc()
