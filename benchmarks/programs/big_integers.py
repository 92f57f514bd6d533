"""A loop on integers of 521 bits throughout: nothing here fits a machine word."""

from __future__ import annotations

from timing import main


def kernel(steps: int) -> int:
    modulus = 2**521 - 1
    x = 3**300
    mixed = 0
    for i in range(steps):
        x = (x * x + i) % modulus
        mixed = (mixed ^ x) >> 1
    return (x + mixed) % 1000000007


if __name__ == "__main__":
    main(kernel)
