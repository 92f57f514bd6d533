"""A low recursion limit bounds native calls, too, and what follows the program does not need it."""

import sys

count = 0


def both_ways():
    global count
    count += 1
    try:
        both_ways()
    except RecursionError:
        both_ways()


def plain(n):
    return plain(n + 1)


def deep(n: int) -> int:
    return 0 if n == 0 else 1 + deep(n - 1)


sys.setrecursionlimit(15)
try:
    both_ways()
except RecursionError as error:
    print(type(error), count < 2**16)
for limit in (40, 200, 999):
    sys.setrecursionlimit(limit)
    try:
        plain(0)
    except RecursionError as error:
        depth = 0
        trace = error.__traceback__
        while trace is not None:
            trace, depth = trace.tb_next, depth + 1
        print(limit - 3 <= depth <= limit)
sys.setrecursionlimit(1000)
print(deep(900))
sys.setrecursionlimit(60_000)
print(deep(50_000))
sys.setrecursionlimit(8)
print(sys.getrecursionlimit())
raise ValueError("uncaught")
