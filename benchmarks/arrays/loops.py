"""Loops over the elements of arrays, as people write them for Numba, timed: under CPython, under `ppy run`, and with
`@njit` (bounds checks off, its default).

    python loops.py [numba]

prints one line for each loop: its name, the least of the times in microseconds, and a digest of the results.
"""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def total(a: NDArray[np.float64]):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


def stencil(a: NDArray[np.float64], out: NDArray[np.float64]):
    n, m = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            out[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def recurrence(a: NDArray[np.float64], out: NDArray[np.float64]):
    out[0] = a[0]
    for i in range(1, len(a)):
        out[i] = 0.9 * out[i - 1] + 0.1 * a[i]


def distances(x: NDArray[np.float64], d: NDArray[np.float64]):
    n, k = x.shape
    for i in range(n):
        for j in range(n):
            s = 0.0
            for c in range(k):
                t = x[i, c] - x[j, c]
                s += t * t
            d[i, j] = math.sqrt(s)


def histogram(x: NDArray[np.float64], h: NDArray[np.int64]):
    n = len(h)
    for i in range(len(x)):
        h[int(x[i] * n)] += 1


def mandelbrot(out: NDArray[np.int64], re: NDArray[np.float64], im: NDArray[np.float64], limit: int):
    for y in range(len(im)):
        for x in range(len(re)):
            cr = re[x]
            ci = im[y]
            zr = 0.0
            zi = 0.0
            n = 0
            while n < limit and zr * zr + zi * zi <= 4.0:
                t = zr * zr - zi * zi + cr
                zi = 2.0 * zr * zi + ci
                zr = t
                n += 1
            out[y, x] = n


def alignment(h: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64]):
    top = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            s = -1
            if a[i - 1] == b[j - 1]:
                s = 2
            best = h[i - 1, j - 1] + s
            up = h[i - 1, j] - 1
            left = h[i, j - 1] - 1
            if up > best:
                best = up
            if left > best:
                best = left
            if best < 0:
                best = 0
            h[i, j] = best
            if best > top:
                top = best
    return top


def kmeans_step(
    x: NDArray[np.float64],
    c: NDArray[np.float64],
    label: NDArray[np.int64],
    sums: NDArray[np.float64],
    counts: NDArray[np.int64],
):
    n, d = x.shape
    k = c.shape[0]
    for i in range(n):
        best = 1e300
        which = 0
        for j in range(k):
            s = 0.0
            for f in range(d):
                t = x[i, f] - c[j, f]
                s += t * t
            if s < best:
                best = s
                which = j
        label[i] = which
        counts[which] += 1
        for f in range(d):
            sums[which, f] += x[i, f]


def cases() -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The loops and what they work on; large enough to be slow, small enough for CPython."""
    rng = np.random.default_rng(1)
    line, grid, points = rng.random(200_000), rng.random((400, 400)), rng.random((120, 8))
    x, c = rng.random((5_000, 4)), rng.random((8, 4))
    p, q = rng.integers(0, 4, 300), rng.integers(0, 4, 300)
    words = [np.zeros(64, np.int64), np.zeros((100, 100), np.int64), np.zeros((301, 301), np.int64)]
    return [
        (stencil, (grid, np.zeros_like(grid))),
        (recurrence, (line, np.zeros_like(line))),
        (distances, (points, np.zeros((120, 120)))),
        (histogram, (line, words[0])),
        (mandelbrot, (words[1], np.linspace(-2, 0.5, 100), np.linspace(-1.2, 1.2, 100), 100)),
        (alignment, (words[2], p, q)),
        (kmeans_step, (x, c, np.zeros(5_000, np.int64), np.zeros((8, 4)), np.zeros(8, np.int64))),
        (total, (line,)),
    ]


def main(numba: bool) -> None:
    for function, arguments in cases():
        called = function
        if numba:
            from numba import njit

            called = njit(function)
        found = called(*arguments)
        digest = hashlib.sha1(np.asarray(0 if found is None else found).tobytes())
        for argument in arguments:
            digest.update(np.asarray(argument).tobytes())
        times = []
        for _ in range(5 if "ppy_runtime" not in sys.modules and not numba else 25):
            start = time.perf_counter()
            called(*arguments)
            times.append(time.perf_counter() - start)
        print(function.__name__, min(times) * 1e6, digest.hexdigest()[:12])


main("numba" in sys.argv)
