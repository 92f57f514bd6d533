"""What a program can notice of an array expression: errors, warnings, order, who is called."""
import traceback
import warnings

import numpy as np
from numpy.typing import NDArray

warnings.simplefilter("always")


def show(*warned):
    print("  warned:", *warned)


warnings.showwarning = lambda message, category, filename, lineno, *rest: show(category.__name__, message, lineno)


class Mine(np.ndarray):
    def __mul__(self, other):
        print("  mine *")
        return np.ndarray.__mul__(self, other)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        print("  ufunc", ufunc.__name__, method)
        return getattr(ufunc, method)(*(np.asarray(i) for i in inputs), **kwargs)


class Loud:
    def __init__(self, name):
        self.name = name

    def __mul__(self, other):
        print("  *", self.name)
        return self

    __add__ = __rmul__ = __radd__ = __mul__

    def __del__(self):
        print("  del", self.name)


def f(a: NDArray[np.float64], b: NDArray[np.float64]):
    t = a * b
    return t / (a - b) + np.log(a)


def attempt(*args):
    try:
        result = f(*args)
        print(type(result).__name__, result)
    except Exception:
        print(traceback.format_exc().replace(__file__, "FILE"))


x = np.array([1.0, 2.0, 4.0])
attempt(x, x + 1)
attempt(x, x)  # division by zero
attempt(-x, x)  # the logarithm of a negative number
attempt(x * 0, x)
attempt(x * 1e200, x * 1e200)  # overflow
attempt(x, np.ones(2))  # shapes
attempt(x, "text")
attempt(x, None)
attempt(Mine((3,)).__class__(3) * 0 + x if False else x.view(Mine), x + 1)
attempt(x, x.view(Mine) + 1)
attempt(Loud("one"), x)
with np.errstate(all="raise"):
    attempt(x, x)
with np.errstate(all="ignore"):
    attempt(x, x)
with np.errstate(divide="call"), np.errstate(call=lambda kind, flag: print("  called", kind)):
    attempt(x, x)


def order(a: NDArray[np.float64], b: NDArray[np.float64]):
    return (a * b + noisy(a)) * (b + noisy(b))


def noisy(v):
    print("  noisy", v[0])
    return v


print(order(x, x + 1))


def rebound(a: NDArray[np.float64]):
    return np.sqrt(a * 2.0) + 1.0


print(rebound(x))
original = np.sqrt
np.sqrt = lambda v: ("patched", print("  sqrt of", v), v)[2]
print(rebound(x))
np.sqrt = original
print(rebound(x))
saved, np = np, None
try:
    rebound(x)
except AttributeError as error:
    print(error)
np = saved
print(rebound(x))


def caught(a: NDArray[np.float64], b: NDArray[np.float64]):
    try:
        return a * b + 1.0
    except ValueError as error:
        print("  caught", error)
        return a - 1.0
    finally:
        print("  finally")


print(caught(x, x), caught(x, np.ones(7)))


def aliased(a: NDArray[np.float64]):
    b = a * 1.0 + 0.0
    a[0] = 99.0
    c = a
    c += b * 2.0
    return a, b, c is a


print(*aliased(x.copy()))


def huge(a: NDArray[np.float64]):
    return a * a + a * a


try:
    huge(np.broadcast_to(x[:1], (1 << 40, 1 << 20)))
except (MemoryError, ValueError) as error:
    print(type(error).__name__)


def tested(a: NDArray[np.float64]):
    steps = 0
    while a * 0.5 + 1.0 > steps:
        steps += 1
    assert a * 2.0 >= 0.0, a * 3.0 + 1.0
    return steps, 1 if a * 2.0 > 4.0 else 2, 5.0 in a * 2.0 + 1.0, not a * 2.0 == 4.0


for few in (x[:1], x[2:], -x[:1], x, x[:0]):
    try:
        print(tested(few))
    except (AssertionError, ValueError) as error:
        print(type(error).__name__, error)
