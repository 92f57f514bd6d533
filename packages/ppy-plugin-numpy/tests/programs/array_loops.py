"""Loops over arrays, long enough for the version without guards: bounds, strips, aliases, headers that change."""

from __future__ import annotations

import gc
import sys
import threading
import traceback
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
            traceback.print_exc(limit=-1)
    for warning in seen:
        print(warning.category.__name__, warning.message, warning.lineno)


def total(a: F64):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


def backwards(a: F64, n: int):
    s = 0.0
    for i in range(n, -1, -1):
        s = 0.5 * s + a[i]
    return s


def every_third(a: F64, n: int):
    s = 0.0
    for i in range(0, n, 3):
        s += a[i]
    return s


def neighbours(a: F64, b: F64, first: int, last: int):
    for i in range(first, last):
        b[i] = a[i - 1] + a[i + 1]
    return float(b.sum())


def wrapped(a: F64, n: int):
    s = 0.0
    for i in range(n):
        s += a[i - 1] + a[-1] - a[-n]
    return s


def recurrence(a: F64, out: F64, decay: float):
    for i in range(1, len(a)):
        out[i] = decay * out[i - 1] + a[i]
    return out[-1]


def second_order(a: F64):
    for i in range(2, len(a)):
        a[i] = a[i - 1] - 0.5 * a[i - 2] + 1.0
    return a[-1]


def backward_recurrence(a: F64, n: int):
    for i in range(n - 2, -1, -1):
        a[i] = 0.5 * a[i + 1] + a[i]
    return a[0]


def branching(a: F64, out: F64):
    for i in range(1, len(a)):
        if a[i] > 0.5:
            out[i] = out[i - 1] + 1.0
    return float(out.sum())


def two_stores(a: F64, b: F64, n: int):
    for i in range(1, n):
        a[i] = a[i - 1] + 1.0
        b[i] = a[i] * 0.5
    return float(a.sum()), float(b.sum())


def read_after(a: F64, n: int):
    s = 0.0
    for i in range(1, n):
        a[i] = a[i - 1] + 1.0
        s += a[i - 1]
    return s


def stencil(a: F64, out: F64):
    n, m = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            out[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return float(out.sum())


def columns(a: F64):
    n, m = a.shape
    s = 0.0
    for j in range(m):
        for i in range(n):
            s = 0.9 * s + a[i, j]
    return s


def histogram(x: F64, h: NDArray[np.int64], bins: int):
    for i in range(len(x)):
        h[int(x[i] * bins)] += 1
    return h.tolist()


def gather(a: F64, index: NDArray[np.int64]):
    s = 0.0
    for i in range(len(index)):
        s += a[index[i]]
    return s


def count_above(a: F64, limit: float):
    n = 0
    for i in range(len(a)):
        if a[i] > limit:
            n += 1
    return n


def largest(a: NDArray[np.int64]):
    top = a[0]
    for i in range(len(a)):
        top = max(top, a[i])
    return top


def words(a: NDArray[np.int64], n: int):
    s = 0
    for i in range(n):
        s += a[i] * 3 - (a[i] & 7)
    return s


def while_loop(a: F64, limit: float):
    i, s = 0, 0.0
    while s < limit:
        s += a[i]
        i += 1
    return i, s


def alignment(a: str, b: str, h: NDArray[np.int64], x: NDArray[np.int64], y: NDArray[np.int64]):
    top = 0
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            score = h[i - 1, j - 1] + (2 if x[i - 1] == y[j - 1] else -1)
            score = max(score, h[i - 1, j] - 1)
            score = max(score, h[i, j - 1] - 1)
            score = max(score, 0)
            h[i, j] = score
            top = max(top, score)
    return top


def changed(a: F64, how, n: int):
    for i in range(n):
        a[i] = i
        if i == 70:
            how(a)
    return a.tolist()


def spinning(a: F64, flag: F64):
    turns = 0
    while flag[0] == 0.0:
        a[0] = a[0] + 1.0
        turns += 1
    return turns > 0


rng = np.random.default_rng(3)
for size in (0, 1, 3, 4, 5, 63, 64, 65, 100, 16383, 16384, 16385, 40000):
    x = rng.random(size)
    attempt(total, x)
    attempt(total, x[::-1])
    attempt(total, np.repeat(x, 2)[::2])
    attempt(backwards, x, size - 1)
    attempt(every_third, x, size)
    attempt(count_above, x, 0.5)
    attempt(wrapped, x, size)
    if size > 1:
        attempt(recurrence, x, np.zeros(size), 0.9)
        attempt(recurrence, x, x.copy(), 0.0)
        attempt(second_order, x.copy())
        attempt(backward_recurrence, x.copy(), size)
        attempt(branching, x, np.zeros(size))
        attempt(two_stores, x.copy(), np.zeros(size), size)
        attempt(read_after, x.copy(), size)
    attempt(words, (x * 1000).astype(np.int64), size)
x = rng.random(200)
for first, last in ((1, 199), (0, 199), (1, 200), (0, 200), (-5, 100), (150, 400), (5, 5), (10, 2)):
    attempt(neighbours, x, np.zeros(200), first, last)
    attempt(neighbours, x, np.zeros(100), first, last)
attempt(backwards, x, 200)
attempt(every_third, x, 201)
attempt(wrapped, x, 150)
attempt(wrapped, x, 201)
for shift in (0, 1, 2, -1):
    shared = np.arange(300.0)
    left, right = shared[5:205], shared[5 + shift : 205 + shift]
    attempt(neighbours, left, right, 1, 199)
    attempt(recurrence, left, right, 0.5)
    attempt(recurrence, right, left, 0.25)
    attempt(two_stores, left, right, 150)
    print(shared.sum())
grid = rng.random((40, 90))
for view in (grid, grid.T, grid[::2], grid[:, ::3], grid[::-1, ::-1], np.asfortranarray(grid)):
    attempt(stencil, view, np.zeros(view.shape))
    attempt(columns, view)
attempt(stencil, grid, np.zeros((40, 89)))
attempt(histogram, x, np.zeros(8, np.int64), 8)
attempt(histogram, x, np.zeros(7, np.int64), 8)
attempt(histogram, np.append(x, np.nan), np.zeros(8, np.int64), 8)
attempt(gather, x, np.arange(-200, 200))
attempt(gather, x, np.arange(-200, 201))
attempt(largest, np.arange(100) * 7 % 31)
attempt(words, np.full(100, 2**62), 100)
attempt(while_loop, x, 40.0)
attempt(while_loop, x, 1e9)
p, q = rng.integers(0, 4, 90), rng.integers(0, 4, 120)
attempt(alignment, "", "", np.zeros((91, 121), np.int64), p, q)
attempt(total, np.array([1e308] * 100))
attempt(recurrence, np.full(100, 1e308), np.full(100, 1e308), 2.0)
with np.errstate(over="raise"):
    target = np.full(100, 1e308)
    attempt(recurrence, np.full(100, 1e307), target, 1.0)
    print(target.tolist())
with np.errstate(under="raise"):
    target = np.full(100, 1e-300)
    attempt(recurrence, np.zeros(100), target, 1e-3)
    print(target.tolist())
for how in (
    lambda a: a.resize(90, refcheck=False),
    lambda a: a.setflags(write=False),
    lambda a: setattr(a, "shape", (10, 10)),
    lambda a: setattr(a, "dtype", np.int64),
    lambda a: setattr(a, "strides", (0,)),
    lambda a: gc.collect(),
):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        attempt(changed, np.zeros(100), how, 100)
flag, counted = np.zeros(1), np.zeros(1)
thread = threading.Timer(0.05, lambda: flag.__setitem__(0, 1.0))
thread.start()
attempt(spinning, counted, flag)
thread.join()
shrinking = np.zeros(60000)
interval = sys.getswitchinterval()
sys.setswitchinterval(1e-4)
stop = threading.Event()


def resized() -> None:
    while not stop.is_set():
        shrinking.resize(30000, refcheck=False)
        shrinking.resize(60000, refcheck=False)


thread = threading.Thread(target=resized)
thread.start()
failed = 0
for _ in range(30):
    try:
        failed += total(shrinking) != 0.0
    except IndexError:
        pass
stop.set()
thread.join()
sys.setswitchinterval(interval)
print(failed)


def running(a: F64, b: NDArray[np.int64], n: int):
    for _ in range(n):
        a[0] = a[0] + 1.5
    for _ in range(n):
        a[-1] = a[-1] * 0.5 + 1.0
    for i in range(n - 1, 0, -1):
        b[i - 1] = b[i] + i
    for i in range(0, n - 3, 3):
        b[i + 3] = b[i] + 1
    return a.tolist(), b.tolist()


def rows(a: F64, n: int, k: int):
    for i in range(1, n):
        a[i, k] = a[i - 1, k] + 1.0
        a[k, i] = a[k, i - 1]
    for i in range(1, n):
        a[i, i] = a[i - 1, i - 1] + 1.0
    for j in range(1, n):
        a[k, j] = a[k, j - 1] + 0.5
    return a.tolist()


for size in (5, 70, 80):
    attempt(running, np.ones(3), np.arange(70), size)
for k in (0, 3, -1, 70):
    attempt(rows, np.ones((70, 70)), 70, k)
    attempt(rows, np.ones((70, 71)).T[:70], 70, k)
