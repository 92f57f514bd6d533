"""`a * b % m` with m near 2**61: the product needs 128 bits."""

from __future__ import annotations

from timing import main


def kernel(steps: int) -> int:
    m = 2305843009213693921
    a = 1234567890123456789
    x = 987654321987654321
    for _ in range(steps):
        x = x * a % m
    return x


if __name__ == "__main__":
    main(kernel)
