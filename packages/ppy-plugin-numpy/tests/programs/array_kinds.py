"""What is known of scalars of NumPy on branches, arrays that warn when written, tuples among the indices."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


def attempt(function, *args: object) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            print(function.__name__, repr(function(*args)))
        except Exception as error:
            print(function.__name__, type(error).__name__, error)
    for warning in seen:
        print(warning.category.__name__, str(warning.message).splitlines()[0], warning.lineno)


def classes(a: NDArray[np.float64]):
    s = 0.0
    found = []
    for i in range(len(a)):
        if isinstance(s, np.float64):
            found.append("numpy")
        if isinstance(s, float):
            found.append(s + 1.0)
        if type(s) is float:
            found.append(s * 2)
        else:
            found.append(-s)
        s += a[i]
    return found, type(s)


def whole(a: NDArray[np.int64]):
    n = 0
    found = []
    for i in range(len(a)):
        if isinstance(n, int):
            found.append(("int", n))
        if n:
            found.append(n + 1)
        if n > 3:
            found.append(n // 2)
        n += a[i]
    return found, n, type(n)


def optional(a: NDArray[np.float64]):
    best = None
    for i in range(len(a)):
        if best is None or a[i] > best:
            best = a[i]
    return best


def either(a: NDArray[np.float64], b: list, n: int):
    s = 0.0
    for i in range(n):
        x = a[i] if i % 2 else b[i]
        s = x if x > s else s
    return s, type(s)


def handed(x: float, y: float) -> float:
    return x * y + 1.0


def calls(a: NDArray[np.float64], n: int):
    s = 0.0
    for i in range(n):
        s = handed(s, a[i]) + handed(a[i], 0.5)
    return s


def fill(a: NDArray[np.float64], n: int):
    for i in range(n):
        a[i] = i * 0.5
    return a.tolist()


def tuples(a: NDArray[np.float64], n: int):
    kept = []
    for i in range(n):
        place = (i, i + 1)
        a[place] += 1.0
        kept.append(place)
        kept.append(a[i, 0])
    return kept, a.tolist()


def swapped(a: NDArray[np.float64], b: NDArray[np.float64], n: int):
    for k in range(n):
        for i in range(1, len(a)):
            b[i] = a[i - 1] + k
        a, b = b, a
    return a.tolist(), b.tolist()


def made(n: int):
    s = 0.0
    for k in range(n):
        a = np.full(k + 1, 0.5)
        for i in range(len(a)):
            s += a[i] * k
    return s


def formatted(a: NDArray[np.float64], i: int):
    return f"{a[i]} {a[i]!r:>20} {a[i]:.2e}", str(a[i]), "%s %.1f" % (a[i], a[i]), [a[i]] * 2, {a[i]: i}


attempt(classes, np.array([1.0, 2.0, 3.0]))
attempt(classes, [1.0, 2.0, 3.0])
attempt(whole, np.array([0, 2, 3]))
attempt(whole, [0, 2, 3])
attempt(whole, np.array([0, 2, 2**63 - 1, 5]))
attempt(optional, np.array([0.5, 2.5, -1.0]))
attempt(optional, np.array([]))
attempt(either, np.arange(100.0), [float(i) for i in range(100)], 100)
attempt(either, np.arange(100.0), list(range(100)), 99)
attempt(calls, np.linspace(0.0, 1.0, 90), 90)
attempt(calls, np.linspace(0.0, 1e300, 90), 90)
attempt(fill, np.broadcast_arrays(np.zeros(100), np.zeros(100))[0], 100)
attempt(fill, np.broadcast_arrays(np.zeros((1,)), np.zeros(100))[0], 3)
attempt(fill, np.diagonal(np.zeros((80, 80))), 80)
attempt(tuples, np.zeros((90, 90)), 80)
attempt(tuples, np.zeros((90, 90)), 90)
attempt(swapped, np.zeros(100), np.ones(100), 5)
attempt(swapped, np.zeros(100), np.ones(99), 5)
attempt(swapped, np.zeros(100), [0.0] * 100, 2)
attempt(made, 90)
attempt(formatted, np.array([1.5, 1e22]), 1)
