"""Chains of arithmetic on elements: where in them NumPy warns, and with what the twin goes on."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


def attempt(function, *args: object) -> None:
    for action in ("always", "error"):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter(action)
            try:
                print(function.__name__, repr(function(*args)))
            except Exception as error:
                print(function.__name__, type(error).__name__, error)
        for warning in seen:
            print(warning.category.__name__, warning.message, warning.lineno)


def weighted(a: F64, out: F64, x: float):
    for i in range(1, len(a) - 1):
        out[i] = x * (a[i - 1] + 2.0 * a[i] + a[i + 1]) - a[0]
    return out.tolist()


def lines(a: F64, x: float):
    s = 0.0
    for i in range(len(a)):
        t = a[i] * x
        u = t - a[i] * 0.5
        v = u + t
        s = s + v * u
    return s


def divided(a: F64, b: F64):
    s = 0.0
    for i in range(len(a)):
        s += 1.0 / (a[i] * b[i] * 1e10)
    return s


def compared(a: F64, b: F64):
    n = 0
    for i in range(len(a)):
        if a[i] * b[i] * 2.0 > 1.0:
            n += 1
    return n


def pairs(a: NDArray[np.float64], i: int, j: int, k: int):
    return (a[i, j] + a[j, i]) * a[k, k] - a[k, i] * 2


def freed(n: int, x: float):
    a = np.full(n, x)
    y = a[0] * x + a[1]
    del a
    return y * x - 1.0


def guarded(a: F64, x: float):
    try:
        y = a[0] * x * x + 1.0
    except RuntimeWarning as warning:
        return str(warning)
    return y


for x in (0.5, 1e200, float("inf"), float("nan"), -0.0, 3):
    for a in (np.linspace(0.5, 2.0, 80), np.full(80, 1e200), np.append(np.ones(79), np.inf), np.zeros(5)):
        attempt(weighted, a, np.zeros(len(a)), x)
        attempt(lines, a, x)
        attempt(guarded, a, x)
attempt(divided, np.full(70, 1e200), np.full(70, 1e200))
attempt(compared, np.full(70, 1e200), np.full(70, 1e200))
attempt(compared, np.full(70, -1e200), np.full(70, 1e200))
grid = np.arange(9.0).reshape(3, 3)
for place in ((0, 1, 2), (2, 2, 3), (0, 3, 1), (-1, -2, -3)):
    attempt(pairs, grid, *place)
    attempt(pairs, grid * 1e308, *place)
attempt(freed, 3, 2.0)
attempt(freed, 3, 1e200)
attempt(freed, 1, 1e200)


def between(a: F64, x: float, zero: float):
    s = 0.0
    for i in range(len(a)):
        y = a[i] * x
        z = a[i] % zero
        s = y + z * 2.0
        w = a[i] * x * 1e10
        s += w + x // zero
    return s


for x in (1.0, 1e305):
    for zero in (0.0, 0.5):
        attempt(between, np.full(70, 1e10), x, zero)
        attempt(between, np.array([2.0, np.inf]), x, zero)
