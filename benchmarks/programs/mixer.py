"""The finaliser of MurmurHash3, chained: shifts, exclusive ors and masked multiplies."""

from __future__ import annotations

from timing import main


def kernel(steps: int) -> int:
    x = 1
    for i in range(steps):
        x = (x + i) & 0xFFFFFFFFFFFFFFFF
        x = ((x ^ (x >> 33)) * 0xFF51AFD7ED558CCD) & 0xFFFFFFFFFFFFFFFF
        x = ((x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 33
    return x


if __name__ == "__main__":
    main(kernel)
