"""A loop of additions that stays within 64 bits, or leaves them: the arguments decide where, the code is the same.

`at` is the step that adds `by`; what is above `limit` afterwards has `by` taken off again.
"""

from __future__ import annotations

from timing import main


def kernel(steps: int, x: int, at: int, by: int, limit: int) -> int:
    for i in range(steps):
        x = x + (by if i == at else i & 7)
        if x > limit:
            x = x - by
    return x


if __name__ == "__main__":
    main(kernel)
