"""The FNV-1a hash of a run of bytes: a masked multiply."""

from __future__ import annotations

from timing import main


def kernel(steps: int) -> int:
    x = 14695981039346656037
    for i in range(steps):
        x = ((x ^ (i & 255)) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return x


if __name__ == "__main__":
    main(kernel)
