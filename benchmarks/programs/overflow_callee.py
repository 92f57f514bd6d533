"""The additions of overflow_loop, done by a function that the loop calls."""

from __future__ import annotations

from timing import main


def add(x: int, step: int) -> int:
    return x + step


def kernel(steps: int, x: int, at: int, by: int, limit: int) -> int:
    for i in range(steps):
        x = add(x, by if i == at else i & 7)
        if x > limit:
            x = x - by
    return x


if __name__ == "__main__":
    main(kernel)
