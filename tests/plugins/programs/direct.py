"""A C function where the library has it, the library's Python function where not."""

import tinylib


def total(n: int, by: int) -> int:
    s = 0
    for i in range(n):
        s += tinylib.scaled(i, by)
    return s


print(total(1000, 7), total(10, -3), total(10, 2**31 - 1), total(10, 2**31), total(3, 2**70), total(True, 5))
try:
    total(3, "x")
except TypeError as error:
    print(error)
scaled = tinylib.scaled
tinylib.scaled = lambda n, by: n
print(total(5, 7))
tinylib.scaled = scaled
print(total(5, 7))
