"""Which number below a limit takes the most Collatz steps to reach 1?

    python main.py [LIMIT]      under CPython
    ppy run main.py [LIMIT]     natively, with the same answer

The answer goes to standard output, the time to standard error.
"""

import sys
import time


def steps(n: int) -> int:
    """How many steps n takes: half of an even number, three times an odd one plus one."""
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def longest(limit: int) -> int:
    """The smallest number below the limit that takes the most steps."""
    best = 1
    most = 0
    for start in range(1, limit):
        count = steps(start)
        if count > most:
            best = start
            most = count
    return best


def main() -> None:
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    begin = time.perf_counter()
    best = longest(limit)
    elapsed = time.perf_counter() - begin
    print(f"below {limit:,}: {best:,} takes {steps(best)} steps")
    print(f"found in {elapsed:.3f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
