"""Functions that have versions for the constants that calls pass: any other object gets the answer of the source."""

import traceback

import ppy

SIZE, HALF, NAME = 5, 0.5, "half"


@ppy.specialize
def power(x, n: int, m: int):
    r = 1
    for _ in range(n):
        r = r * x % m
    return r, n, m


def calls(k):
    print(power(3, 5, 1000007), power(2.0, 5, 17), power(k, SIZE, 1000007), power(k, k, m=1000007), power(m=7, x=k, n=2))


calls(3)
calls(10**6)
outside = [power][0]
for args in [
    (3, 5, 1000007), (3, 5, 1000008), (3, 6, 1000007), (3, True, 7), (2.0, 5, 17), (-0.0, 5, 17), (3, 5.0, 7),
    (2**70, 5, 1000007), (3, 2**65, 0), (3, 5, 2**70), (3, 5, 0), (True, 5, 1000007),
]:  # fmt: skip
    try:
        print(args, outside(*args))
    except (TypeError, ZeroDivisionError) as error:
        print(args, type(error).__name__, error)


# Zeros of both signs, truth values and numbers that are equal are constants of their own.


@ppy.specialize
def divided(x: float, zero: float, flag, count):
    total = x
    for k in range(3):
        total += x * k
    return str(zero), total, flag, flag is True, count, total + count if flag else count


print(divided(1.5, 0.0, True, 1), divided(1.5, -0.0, False, 1.0), divided(1.5, 0.0, 1, True), divided(1.5, 1.0, 0, False))
again = [divided][0]
for zero in (0.0, -0.0, float("nan"), 1.0, 0):
    for flag in (True, False, 1, 0, None):
        print(again(1.5, zero, flag, 1), again(2.5, zero, flag, 1.0))


# Texts and None: what is equal is as good as the constant, and stays the object it was.


@ppy.specialize
def reduced(values: list[float], how: str, start: float | None):
    total = 0.0 if start is None else start
    for value in values:
        if how == "sum":
            total += value
        elif how == "max":
            total = max(total, value)
        elif how != 'quoted "\\5C" \n':
            total += value * HALF
        else:
            total -= value
    return total, how


data = [1.0, 2.5, -3.0]
print(reduced(data, "sum", None), reduced(data, "max", 1.0), reduced(data, NAME, None), reduced(data, 'quoted "\\5C" \n', None))
made = "".join(["s", "um"])
for how in (made, "max", "", 'quoted "\\5C" \n', "\\5C", "s\udc80", "x" * 100):
    for start in (None, 1.0, 2):
        total, kept = reduced(data, how, start)
        print(ascii(how), total, kept is how)


class Text(str):
    def __eq__(self, other):
        return False

    __hash__ = None


print(reduced(data, Text("sum"), None)[0], reduced([1, 2], "sum", None), reduced([2**70], "max", 0.0)[0])


# Lengths of tuples.


@ppy.specialize
def dot(a: tuple[float, ...], b, scale: int):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total * scale, len(b)


print(dot((1.0, 2.0), (3.0, 4.0), 2), dot((1.0,), [5.0], 2), dot((), (), 3), dot((1.0, 2.0, 3.0), (1, 2.0, "x"[:0] or 3), 2))
for a in ((1.0, 2.0), (1.0,), (), (1, 2), (1.0, 2.0, 3.0, 4.0), [1.0, 2.0], "ab"):
    try:
        print(a, [dot][0](a, (3.0, 4.0, 5.0, 6.0), 2))
    except TypeError as error:
        print(a, error)


# Constants are handed on to callees; a recursion that counts down has the version for any number.


@ppy.specialize
def inner(x: int, base: int):
    digits = 0
    while x:
        x //= base
        digits += 1
    return digits


@ppy.specialize
def outer(x: int, base: int):
    return inner(x, base) + inner(x * x, base) + inner(x, base + 1) + inner(x, 10)


@ppy.specialize
def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


print(outer(1000, 10), outer(1000, 2), outer(2**40, 16), ackermann(2, 3), ackermann(0, 1), ackermann(m=1, n=0))


# More constants than there may be versions.


@ppy.specialize
def shifted(x: int, by: int):
    for _ in range(2):
        x = (x << by) % 1000003
    return x


print([shifted(7, 0), shifted(7, 1), shifted(7, 2), shifted(7, 3), shifted(7, 4), shifted(7, 5), shifted(7, 6)])
print([shifted(7, 7), shifted(7, 8), shifted(7, 9), shifted(7, 10), shifted(7, 2**40 % 11), [shifted][0](7, 9)])


# Guards that fail in such a version, its traceback, a constant that is rebound, and a rebound function.


@ppy.specialize
def grown(x: int, factor: int, n: int):
    found = []
    for k in range(n):
        x = x * factor + k
        if k % 7 == 0:
            found.append(x % 1000)
    return x % 1000007, found, factor, n


@ppy.specialize
def checked(x, divisor: int):
    for _ in range(2):
        x = x // divisor
    return x


@ppy.specialize
def rebound(x, divisor: int):
    for _ in range(2):
        x = x // divisor
    return x


print(grown(1, 3, 50), grown(2**62, 2, 5), grown(1, -7, 60), [grown][0](1, 3, 50))
for divisor in (0, 2):
    try:
        print(checked(100, 0) if divisor == 0 else checked(100.5, 2))
    except ZeroDivisionError:
        print("".join(line for line in traceback.format_exc().splitlines(True) if "File" not in line))


def with_size(x):
    return checked(x, SIZE), rebound(x, 7)


print(with_size(1000))
SIZE = 10
print(with_size(1000))


def replace():
    global rebound
    rebound = lambda x, divisor: ("replaced", x, divisor)


kept = rebound
replace()
print(with_size(1000), kept(1000, 7))


@ppy.specialize
def defaulted(x: int, n: int = 3, *, sign: int = -1):
    for _ in range(n):
        x = x * 2 + sign
    return x


print(defaulted(1), defaulted(1, 3), defaulted(1, n=4), defaulted(1, 3, sign=-1), defaulted(x=2, sign=1))
defaulted.__defaults__ = (5,)
print(defaulted(1), defaulted(1, 3), defaulted(1, sign=-1))
