"""A sum of floats whose order is free: every partial sum is exact, so all orders give the same."""

from __future__ import annotations

import ppy
from timing import main


@ppy.fastmath
def kernel(steps: int) -> float:
    total = 0.0
    x = 0.25
    for _ in range(steps):
        total += x * 0.5
        x += 0.5
    return total


if __name__ == "__main__":
    main(kernel)
