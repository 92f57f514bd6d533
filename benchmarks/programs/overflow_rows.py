"""overflow_inner with an inner loop whose length is known when it runs only."""

from __future__ import annotations

from timing import main


def kernel(steps: int, x: int, at: int, by: int, limit: int) -> int:
    width = steps // 500_000
    for i in range(steps // width):
        for j in range(width):
            x = x + (by if i == at and j == 3 else j)
        if x > limit:
            x = x - by
    return x


if __name__ == "__main__":
    main(kernel)
