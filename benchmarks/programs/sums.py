"""Sums over nested ranges: Python's integers, whose guards are decided before the inner loop."""

from __future__ import annotations

from timing import main


def kernel(rows: int) -> int:
    total = 0
    for i in range(rows):
        for j in range(2000):
            total += min(i ^ j, 1000) * 3 + j
    return total


if __name__ == "__main__":
    main(kernel)
