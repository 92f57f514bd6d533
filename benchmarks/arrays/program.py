"""Array expressions as people write them, timed: under CPython this is NumPy, under `ppy run` it is PPY.

    python program.py ELEMENTS REPETITIONS

prints one line for each expression: its name, the median of the times in microseconds, and a digest of the result.
"""

from __future__ import annotations

import hashlib
import sys
import time

import numpy as np
from numpy.typing import NDArray


def multiply_add(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return a * b + c


def normalise(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return (a - 0.5) / (b + 1.0) * 2.0 + 0.25


def blend(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return np.where(a > b, a * 0.75 + b * 0.25, c)


def polynomial(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return ((a * 0.5 + 1.5) * a - 2.0) * a + b


def distance(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return np.sqrt((a - b) ** 2 + (b - c) ** 2)


def gauss(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return np.exp(-(a**2) * 2.0) * b + c


def waves(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return np.sin(a * 3.0) * np.tanh(b) + np.log(c + 1.0)


def squared(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return ((a - b) ** 2).sum()


def mean_product(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return (a * b + c).mean()


EXPRESSIONS = [multiply_add, normalise, blend, polynomial, distance, gauss, waves, squared, mean_product]


def main(elements: int, repetitions: int) -> None:
    random = np.random.default_rng(1)
    a, b, c = random.random((3, elements))
    for function in EXPRESSIONS:
        digest = hashlib.sha1(np.asarray(function(a, b, c)).tobytes()).hexdigest()[:12]
        times = []
        for _ in range(repetitions):
            start = time.perf_counter()
            function(a, b, c)
            times.append(time.perf_counter() - start)
        print(function.__name__, sorted(times)[repetitions // 2] * 1e6, digest)


main(int(sys.argv[1]), int(sys.argv[2]))
