"""Marsaglia's xorshift generator of 64 bits: masked shifts."""

from __future__ import annotations

from timing import main


def kernel(steps: int) -> int:
    x = 88172645463325252
    for _ in range(steps):
        x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 7
        x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
    return x


if __name__ == "__main__":
    main(kernel)
