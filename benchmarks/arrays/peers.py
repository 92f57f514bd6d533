"""The expressions of `program.py` for numexpr and Numba: `python peers.py ENGINE ELEMENTS REPETITIONS`.

The engines are `numexpr`, `numba` (one loop, `@njit`) and `parallel` (`@njit(parallel=True)`). Output as of
`program.py`, without digests: their results differ in the last bits.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

TEXTS = {
    "multiply_add": "a * b + c",
    "normalise": "(a - 0.5) / (b + 1.0) * 2.0 + 0.25",
    "blend": "where(a > b, a * 0.75 + b * 0.25, c)",
    "polynomial": "((a * 0.5 + 1.5) * a - 2.0) * a + b",
    "distance": "sqrt((a - b) ** 2 + (b - c) ** 2)",
    "gauss": "exp(-(a ** 2) * 2.0) * b + c",
    "waves": "sin(a * 3.0) * tanh(b) + log(c + 1.0)",
    "squared": "sum((a - b) ** 2)",
    "mean_product": "sum(a * b + c)",
}


def with_numexpr(name: str, text: str) -> Callable[..., Any]:
    import numexpr

    return lambda a, b, c: numexpr.evaluate(text, {"a": a, "b": b, "c": c})


def with_numba(name: str, text: str, parallel: bool) -> Callable[..., Any]:
    """A loop over the elements, which is what people write for Numba."""
    import numba

    element = text.removeprefix("sum(").removesuffix(")") if text.startswith("sum(") else text
    for array in "abc":
        element = element.replace(f"{array} ", f"{array}[i] ").replace(f"{array})", f"{array}[i])")
        element = element.replace(f"{array},", f"{array}[i],")
        element = element[:-1] + f"{array}[i]" if element.endswith(array) else element
    for function in ("sqrt", "exp", "sin", "tanh", "log"):
        element = element.replace(f"{function}(", f"math.{function}(")
    element = element.replace("where(", "where_(")
    if text.startswith("sum("):
        body = f"    s = 0.0\n    for i in loop(a.size):\n        s += {element}\n    return s\n"
    else:
        body = f"    r = np.empty_like(a)\n    for i in loop(a.size):\n        r[i] = {element}\n    return r\n"

    def where_(condition: Any, yes: Any, no: Any) -> Any:
        return yes if condition else no

    space = {"np": np, "math": math, "loop": numba.prange if parallel else range, "where_": numba.njit(where_)}
    exec(f"def {name}(a, b, c):\n{body}", space)
    return numba.njit(space[name], parallel=parallel)


def main(engine: str, elements: int, repetitions: int) -> None:
    a, b, c = np.random.default_rng(1).random((3, elements))
    for name, text in TEXTS.items():
        if engine == "numexpr":
            function = with_numexpr(name, text)
        else:
            function = with_numba(name, text, engine == "parallel")
        function(a, b, c)
        times = []
        for _ in range(repetitions):
            start = time.perf_counter()
            function(a, b, c)
            times.append(time.perf_counter() - start)
        print(name, sorted(times)[repetitions // 2] * 1e6)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
