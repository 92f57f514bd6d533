"""The library's functions through aliases, in handlers, conditions, closures, expanded calls."""

import ppy
import tinylib
from tinylib import Vector, cube, quotient, root


def aliased(x: float, n: int, odd: bool) -> float:
    f = tinylib.root
    g = cube if odd else f
    s = 0.0
    for i in range(n):
        s += f(x + i) + g(x)
        f = tinylib.square_root
    return s


def handled(x: float, y: float) -> float:
    try:
        return root(x) + quotient(x, y)
    except ValueError as error:
        return -1.0 - len(str(error)) * 0
    except ZeroDivisionError:
        return -2.0
    finally:
        events.append((x, y))


def chosen(a: Vector, b: Vector, n: int) -> int:
    count = 0
    for _ in range(n):
        if a << b:
            count += 1
        elif not (b << b):
            count += 100
        a, b = b, a
    return count


def closure(x: float):
    def inner(y: float) -> float:
        return cube(x) * quotient(y, 4.0)

    return inner


@ppy.inline
def small(x: float) -> float:
    return cube(x) + root(x)


def expanded(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        s += small(x + i)
    return s


def optional(x: float | None) -> float:
    if x is None:
        return 0.0
    return cube(x)


def mixed(flag: bool, n: int) -> float:
    x = 1 if flag else 2.5
    s = 0.0
    for _ in range(n):
        s += root(x)
        x = x + 1
    return s


def several(a, b):
    """Called with many kinds of arguments."""
    return tinylib.pick(a, tinylib.scaled(2, 3) if a else b, b)


events: list[tuple[float, float]] = []
print(aliased(2.0, 5, True), aliased(2.0, 5, False))
print([handled(x, y) for x, y in ((4.0, 2.0), (-4.0, 2.0), (4.0, 0.0), (-1.0, 0.0))], events)
v, w = Vector(1.0, 1.0), Vector(1.0, 1.0)
print(chosen(v, w, 5), chosen(v, v, 5))
print(closure(2.0)(8.0), [f(2.0) for f in map(closure, (1.0, 2.0))])
print(expanded(2.0, 10), sum(cube(float(k)) for k in range(5)), {k: root(k) for k in (1, 4, 9.0)})
print(optional(None), optional(2.0), optional(3), mixed(True, 4), mixed(False, 4))
print(several(True, 1), several(False, "b"), several(1, None), several([], ()))
print(sorted([4.0, 1.0, 9.0], key=root), list(map(cube, (1.0, 2))), max(3.0, cube(1.5)))
tinylib.cube = lambda x: -x
print(expanded(2.0, 3), closure(2.0)(8.0))
cube = tinylib.cube
print(expanded(2.0, 3), closure(2.0)(8.0), optional(2.0))
