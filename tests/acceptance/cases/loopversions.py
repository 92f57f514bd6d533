"""Loops that run without guards as long as their integers are known to stay small, and with them otherwise: at every
border between the two, in every form of loop, the sums are CPython's."""

TOP, LOW, K, H = 2**63 - 1, -(2**63), 3, 0.5


def affine(n: int, k: int, c: int):
    s = c
    for i in range(n):
        s += i * k + c
    return s, i if n > 0 else None


def arms(n: int, k: int, c: int):
    s, last = c, 0
    for i in range(n):
        if i & 1:
            s += i * k
            last = i
        else:
            s -= k if i % 3 else c
    return s, last


def down(n: int, k: int, c: int):
    s = 0
    for i in range(k + n, k, -1):
        s ^= i + c
    return s


def steps(n: int, k: int, c: int):
    s = turns = 0
    for i in range(k, k + 3 * n, 3):
        s += i - c
        turns += 1
    for i in range(k + n, k - n, -7):
        s -= i
        turns += 1
    return s, turns


def while_(n: int, k: int, c: int):
    s, i = c, 0
    while i < n:
        s += (i ^ k) - (-c)
        i += 1
    return s, i


def leaves(n: int, k: int, c: int):
    s = c
    for i in range(n):
        if s > TOP - 5:
            break
        if i == 17:
            continue
        s += abs(k - i) + min(i, K) + max(c, i)
    else:
        s -= 1
    return s, i if n > 0 else None


def nested(n: int, k: int, c: int):
    s = c
    for j in range(3):
        for i in range(n - j):
            s += i * j + k
    return s


def shifted(n: int, k: int, c: int):
    s = 0
    for i in range(n):
        s += (k << 3) + ((i + c) >> 2) + (i | k) // 7
    return s


def masked(n: int, k: int, c: int):
    s, x = 0, k
    for i in range(n):
        x = (x * 6364136223846793005 + c) & 0xFFFFFFFF
        s += x
    return s, x


def swapped(n: int, k: int, c: int):
    a, b = k, c
    for i in range(n):
        a, b = b, a + 1
    return a, b


def floats(n: int, k: int, c: int):
    x, s = 0.0, c
    for i in range(n):
        x += i * H
        s += k
    return x, s


def maybe(n: int, k: int, c: int):
    s = c
    for i in range(n):
        if i > 70:
            s += late
        if i == 70:
            late = k * i
    return s


def tried(n: int, k: int, c: int):
    s = c
    for i in range(n):
        try:
            s += k + i
        finally:
            s -= 1
    return s


FUNCTIONS = (affine, arms, down, steps, while_, leaves, nested, shifted, masked, swapped, floats, maybe, tried)
for f in FUNCTIONS:
    for n in (0, 1, 63, 64, 65, 100, 16383, 16384, 16385, 40000):
        for k, c in ((7, 12), (TOP, 0), (0, LOW), (2**46, -5), (-(2**47), TOP), (2**61, 2**62), (LOW, TOP), (2**63, 1)):
            try:
                print(f.__name__, n, k, c, f(n, k, c))
            except UnboundLocalError as e:
                print(f.__name__, n, k, c, e)


def rebound(n: int, m: int):
    s = 0
    for j in range(m):
        for i in range(n):
            s += min(i, 5) * K
        if j == 1:
            globals()["min"] = lambda a, b: a - b
            globals()["K"] = 10**30
    return s


print(rebound(1000, 4), K)
