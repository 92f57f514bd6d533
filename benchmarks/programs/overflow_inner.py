"""The additions of overflow_loop, ten by ten in an inner loop."""

from __future__ import annotations

from timing import main


def kernel(steps: int, x: int, at: int, by: int, limit: int) -> int:
    for i in range(steps // 10):
        for j in range(10):
            x = x + (by if i == at and j == 3 else j)
        if x > limit:
            x = x - by
    return x


if __name__ == "__main__":
    main(kernel)
