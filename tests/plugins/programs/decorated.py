"""A decorator of the library that gives back the function itself."""

import tinylib


@tinylib.traced
def square(n: int) -> int:
    return n * n


def total(n: int) -> int:
    s = 0
    for i in range(n):
        s += square(i)
    return s


print(total(100))
square = lambda n: 1  # noqa: E731
print(total(100))
