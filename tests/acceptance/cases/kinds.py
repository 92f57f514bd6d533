"""Functions that are called with arguments of several kinds: each kind has native code of its own, and any other object
its general code."""

import traceback


def add(a, b):
    return a + b


def total(steps, x):
    t = x
    for _ in range(steps):
        t = add(t, x)
    return t


print(total(10, 1), total(10, 0.5), total(3, 2**70), total(4, 2**62), add("a", "b"), add((1,), (2,)))


# Mutual recursion, in which each turn may change the kinds.


def down(n, x):
    return x if n <= 0 else up(n - 1, x + 1)


def up(n, x):
    return x if n <= 0 else down(n - 1, x * 0.5)


print(down(6, 1), down(6, 1.0), up(5, True), down(0, "s"), up(3, 2**64))


def grow(n, t):
    return t if n == 0 else grow(n - 1, (*t, n))


print(grow(7, ()), grow(2, (0.5,)), grow(3, (1, "x")))


# Tuples by their items, absent values, defaults and keywords.


def span(pair):
    low, high = pair
    found = 0
    for k in range(4):
        found += k
    return high - low + found


def scaled(x, factor=None, *, extra=0):
    if factor is None:
        return x
    result = x
    for _ in range(3):
        result = result * factor + extra
    return result


print(span((1, 5)), span((0.5, 2.25)), span((1, 2.5)), span((True, 3)))
print(scaled(3), scaled(3, 2), scaled(3, 0.5), scaled(2.5, 3), scaled(1, 2, extra=1), scaled(x=2, factor=3, extra=0.5))
print(scaled(10**18, 10), scaled("ab", 2, extra="c") if False else "", scaled(None))


# From outside nothing is known of the arguments: the entry chooses, or hands over to general code.


class Number(int):
    def __add__(self, other):
        return f"{int(self)} and {other}"


outside = {"add": add, "span": span, "scaled": scaled, "down": down}
for a, b in [(1, 2), (1, 2.5), (0.5, 0.25), (True, 3), (2**63 - 1, 1), (Number(3), 4), ("x", "y"), ([1], [2]), (1, "x")]:
    try:
        print(a, b, outside["add"](a, b))
    except TypeError as error:
        print(type(error).__name__, error)
for pair in [(1, 4), (1.5, 4), (2.5, 3.5), [1, 2], (1, 2, 3), "ab", 7, (2**70, 2**71), (0.5, 1)]:
    try:
        print(pair, outside["span"](pair))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(outside["scaled"](2), outside["scaled"](2.0, 2), outside["scaled"](3, factor=2.5), outside["down"](3, 1.5))


# An exception in one of the versions has the traceback of the source.


def divide(a, b):
    found = a
    for _ in range(2):
        found = found / b if isinstance(found, float) else found // b
    return found


print(divide(100, 3), divide(100.0, 3.0))
for a, b in [(1, 0), (1.0, 0.0), (1, None)]:
    try:
        divide(a, b)
    except (ZeroDivisionError, TypeError):
        print("".join(line for line in traceback.format_exc().splitlines(True) if "File" not in line))


# A callee that is rebound while its caller runs.


def step(x):
    return x + 1


def other(x):
    return x * 10


def replaced(x):
    global step
    found = step(x)
    step = other
    return found, step(x)


kept = step
print(replaced(1))
step = kept
print(replaced(1.5), step(2), kept(2.5))


# What a version puts into its caller's list, and a parameter that changes its type.


def collect(into, x):
    into.append(x)
    x = [x, len(into)]
    return x


numbers, words = [1], ["a"]
print(collect(numbers, 2), collect(numbers, 2.5), collect(words, "b"), numbers, words)
print(sum(numbers), [n * 2 for n in numbers], words[-1] + words[0])


def classify(x):
    if isinstance(x, bool):
        return "bool", not x
    if isinstance(x, int):
        return "int", x + 1
    if isinstance(x, float):
        return "float", x / 2
    return "other", x


print(classify(True), classify(3), classify(2.5), classify("s"), classify(None), [classify(x) for x in (0, False, 0.0)])
