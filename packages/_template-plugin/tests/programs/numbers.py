"""Functions of numbers, also where the library's function is somebody else's, and where it raises."""

import foolib


def total(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        s += foolib.root(x + i) + foolib.cube(x) * foolib.UNIT
    return s


print(total(2.0, 100), total(3, 2))
try:
    total(-1.0, 1)
except ValueError as error:
    print(error)
foolib.cube = lambda x: 0.5
print(total(2.0, 100))
