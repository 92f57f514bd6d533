"""Everyday patterns with strings and containers, each a small function of n.

`kernel(which, n)` runs the one with that number.
"""

from __future__ import annotations

from collections.abc import Callable

from timing import main


def str_concat(n: int) -> int:
    s = ""
    for _ in range(n):
        s += "ab"
    return len(s)


def str_join(n: int) -> int:
    parts = []
    for i in range(n):
        parts.append(str(i))
    return len("".join(parts))


def fstring(n: int) -> int:
    t = 0
    for i in range(n):
        t += len(f"{i}:{i * 2:>5}|")
    return t


def dict_count(n: int) -> int:
    d = {}
    for i in range(n):
        k = i % 100
        d[k] = d.get(k, 0) + 1
    return sum(d.values())


def list_index(n: int) -> int:
    a = [0] * 1000
    for i in range(n):
        a[i % 1000] += i
    return sum(a)


def list_append_pop(n: int) -> int:
    a = []
    for i in range(n):
        a.append(i)
    s = 0
    while a:
        s += a.pop()
    return s


def matrix(n: int) -> int:
    m = [[i * j for j in range(50)] for i in range(50)]
    t = 0
    for _ in range(n // 2500):
        for i in range(50):
            for j in range(50):
                t += m[i][j]
    return t


def listcomp(n: int) -> int:
    return sum([x * x for x in range(n) if x % 3])


def genexp(n: int) -> int:
    return sum(x * x for x in range(n) if x % 3)


def sort_key(n: int) -> int:
    a = [(i * 7919 % n, i) for i in range(n)]
    a.sort(key=lambda p: p[0])
    return a[0][1]


def tuple_dict(n: int) -> int:
    d = {}
    for i in range(n):
        d[(i % 10, i % 7)] = i
    return len(d)


def sets(n: int) -> int:
    s = set()
    for i in range(n):
        if i % 50 not in s:
            s.add(i % 50)
    return len(s)


def strings_iter(n: int) -> int:
    t = "the quick brown fox " * (n // 20)
    c = 0
    for ch in t:
        if ch == "o":
            c += 1
    return c


def split_words(n: int) -> int:
    text = "alpha beta gamma delta " * (n // 100)
    d = {}
    for w in text.split():
        d[w] = d.get(w, 0) + 1
    return len(d)


def enum_zip(n: int) -> int:
    a = list(range(1000))
    t = 0
    for _ in range(n // 1000):
        for i, x in enumerate(a):
            t += i * x
        for x, y in zip(a, a, strict=True):
            t += x + y
    return t


def byte_array(n: int) -> int:
    b = bytearray(1000)
    for i in range(n):
        b[i % 1000] = i & 255
    return sum(b)


def slices(n: int) -> int:
    a = list(range(100))
    t = 0
    for i in range(n):
        t += len(a[i % 50 : 60])
    return t


def inner_list(n: int) -> int:
    t = 0
    for i in range(n // 10):
        if sum([j == i for j in range(10)]):
            t += 1
    return t


def int_str(n: int) -> int:
    t = 0
    for i in range(n):
        t += int(str(i))
    return t


PATTERNS: list[Callable[[int], float]] = [
    str_concat,
    str_join,
    fstring,
    dict_count,
    list_index,
    list_append_pop,
    matrix,
    listcomp,
    genexp,
    sort_key,
    tuple_dict,
    sets,
    strings_iter,
    split_words,
    enum_zip,
    byte_array,
    slices,
    inner_list,
    int_str,
]


def kernel(which: int, n: int) -> float:
    return PATTERNS[which](n)


if __name__ == "__main__":
    main(kernel)
