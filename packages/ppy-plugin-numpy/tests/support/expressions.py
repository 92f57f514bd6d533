"""Random programs of array expressions: each function is one, called with arrays of many shapes, strides and values.

    python expressions.py SEED FUNCTIONS > program.py

The program prints, for each call, type, shape, strides and a digest of the bits of the result, or the exception, and
every warning on the way.
"""

from __future__ import annotations

import random
import sys

DTYPES = ("float64", "float64", "float32", "int64", "int32", "int8", "uint8", "uint16", "uint64", "bool_")
BINARY = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=")
COMMON = ("+", "-", "*", "/", "<", ">")
UNARY = ("-", "~", "+")
ONE = (
    "sqrt square abs negative sign floor ceil trunc rint exp exp2 expm1 log log1p sin cos tan tanh arctan isnan "
    "isfinite isinf signbit logical_not reciprocal cbrt invert"
).split()
TWO = (
    "add subtract multiply divide maximum minimum fmax fmin power arctan2 hypot copysign logical_and logaddexp"
).split()
NUMBERS = ("2", "-1", "0", "7", "300", "0.5", "2.0", "-0.0", "1e300", "1e-310", "255", "3.7")
REDUCTIONS = (".sum()", ".mean()", ".max()", ".astype(np.float32)", "")

PRELUDE = '''\
import hashlib
import itertools
import warnings

import numpy as np
from numpy.typing import NDArray

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest: print("   ", category.__name__, message)
EDGES = {
    "f": [0.0, -0.0, 1.0, -1.5, 2.0, np.inf, -np.inf, np.nan, 1e-310, 1e300, 0.5, 3.25],
    "i": [0, 1, -1, 2, -7, 100, 127, -128],
    "u": [0, 1, 2, 7, 100, 200, 255],
    "b": [True, False],
}


def data(dtype, shape, seed, calm):
    generator = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = generator.random(shape) > 0.5
    elif kind == "f":
        values = generator.standard_normal(shape) * (1 if calm else 50)
    else:
        values = generator.integers(1 if calm else 0, 12, shape)
    values = np.array(values, dtype)
    if not calm and values.size:
        flat = values.reshape(-1)
        picked = np.array(EDGES[kind], "f8" if kind == "f" else "i8").astype(dtype)
        flat[: len(picked)] = picked[: flat.size]
        if kind in "iu":
            flat[-1] = np.iinfo(dtype).max
            flat[-2:-1] = np.iinfo(dtype).min
    return values


def views(shape):
    """Ways to lay arrays of one shape, or broadcastable ones, out in memory."""
    yield lambda d, s, calm: data(d, shape, s, calm)
    yield lambda d, s, calm: data(d, (2 * shape[0], *shape[1:]), s, calm)[::2]
    yield lambda d, s, calm: data(d, shape, s, calm)[::-1]
    yield lambda d, s, calm: np.asfortranarray(data(d, shape, s, calm))
    yield lambda d, s, calm: data(d, shape[-1:], s, calm) if s % 2 else data(d, shape, s, calm)


def show(name, value):
    if isinstance(value, (np.ndarray, np.generic)):
        value = value if isinstance(value, np.ndarray) or value.dtype.kind != "f" else value
        bits = np.asarray(value)
        if bits.dtype.kind == "f":
            bits = np.where(np.isnan(bits), np.array(np.nan, bits.dtype), bits)
        digest = hashlib.sha1(np.ascontiguousarray(bits).tobytes()).hexdigest()[:12]
        print(name, type(value).__name__, value.dtype, value.shape, value.strides, digest)
    else:
        print(name, type(value).__name__, value)


def call(function, dtypes):
    for shape, calm in itertools.product([(5,), (1037,), (4, 6), (1,), (0, 3)], (True, False)):
        for number, make in enumerate(views(shape)):
            args = [make(dtype, number + 3 * place, calm) for place, dtype in enumerate(dtypes)]
            try:
                show(function.__name__, function(*args))
            except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
                print(function.__name__, type(error).__name__, error)


'''


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self, functions: int) -> str:
        return PRELUDE + "".join(self.function(number) for number in range(functions))

    def function(self, number: int) -> str:
        choose = self.random
        dtypes = [choose.choice(DTYPES) for _ in range(choose.randint(1, 3))]
        if choose.random() < 0.5:
            dtypes = [dtypes[0]] * len(dtypes)
        names = ["a", "b", "c"][: len(dtypes)]
        parameters = ", ".join(f"{name}: NDArray[np.{dtype}]" for name, dtype in zip(names, dtypes, strict=True))
        lines = [f"def f{number}({parameters}):"]
        if choose.random() < 0.4:
            lines.append(f"    t = {self.expression(names, 2)}")
            names = [*names, "t"]
        expression = self.expression(names, choose.randint(1, 4))
        lines.append(f"    return ({expression}){choose.choice(REDUCTIONS) if choose.random() < 0.3 else ''}")
        listed = ", ".join(f'"{dtype.rstrip("_")}"' for dtype in dtypes)
        return "\n".join(lines) + f"\n\n\ncall(f{number}, [{listed}])\n\n\n"

    def expression(self, names: list[str], depth: int) -> str:
        choose = self.random
        if depth == 0 or choose.random() < 0.1:
            return choose.choice(names)
        kind = choose.random()
        if kind < 0.5:
            operator = choose.choice(COMMON if choose.random() < 0.6 else BINARY)
            left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
            if choose.random() < 0.25:
                left, right = choose.choice([(left, choose.choice(NUMBERS)), (choose.choice(NUMBERS), right)])
            return f"({left} {operator} {right})"
        if kind < 0.6:
            return f"({choose.choice(UNARY)}{self.expression(names, depth - 1)})"
        if kind < 0.65:
            return f"({self.expression(names, depth - 1)} ** {choose.choice(('2', '0.5', '3', '2.0'))})"
        if kind < 0.85:
            return f"np.{choose.choice(ONE)}({self.expression(names, depth - 1)})"
        if kind < 0.95:
            left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
            return f"np.{choose.choice(TWO)}({left}, {right})"
        parts = ", ".join(self.expression(names, depth - 1) for _ in range(2))
        return f"np.where({self.expression(names, depth - 1)} > {choose.choice(NUMBERS)}, {parts})"


if __name__ == "__main__":
    print(Generator(int(sys.argv[1])).program(int(sys.argv[2])))
