"""Naive Fibonacci numbers: the cost of a call."""

from __future__ import annotations

from timing import main


def kernel(n: int) -> int:
    if n < 2:
        return n
    return kernel(n - 1) + kernel(n - 2)


if __name__ == "__main__":
    main(kernel)
