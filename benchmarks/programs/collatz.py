"""The most steps a Collatz chain below a limit takes: integers under a guard, a conditional expression."""

from __future__ import annotations

from timing import main


def kernel(limit: int) -> int:
    most = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > most:
            most = steps
    return most


if __name__ == "__main__":
    main(kernel)
