"""A linear congruential generator of 64 bits: a masked multiply and add."""

from __future__ import annotations

from timing import main


def kernel(steps: int) -> int:
    x = 1
    for _ in range(steps):
        x = (x * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return x


if __name__ == "__main__":
    main(kernel)
