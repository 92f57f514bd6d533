"""Counted loops near the word's limits, all steps, iteration over other things called range."""

TOP, LOW = 2**63 - 1, -(2**63)


def count(a: int, b: int, c: int):
    out = []
    for i in range(a, b, c):
        out.append(i)
        if len(out) > 6:
            break
    else:
        out.append("else")
    return out


def total(a, b):
    s = 0
    for i in range(a, b):
        s += i
    return s


def by_two(a: int, b: int):
    s = n = 0
    for i in range(a, b, 2):
        s ^= i
        n += 1
    return s, n


def back(a: int, b: int):
    n = 0
    for i in range(a, b, -1):
        n += 1
        last = i
    return n, last if n else None


def nested(n: int):
    s = 0
    for i in range(n):
        for j in range(i, n - i, i or 1):
            if j == 7:
                continue
            s += i * j
        else:
            s += 1
    return s


def rebinding(n: int):
    seen = []
    for i in range(n):
        n = 2
        i *= 10
        seen.append(i)
    return seen, i, n


def unbound(n):
    for k in range(n):
        pass
    return k


for args in [(TOP - 3, TOP, 1), (TOP - 3, TOP + 3, 1), (TOP - 2, TOP, 2), (LOW + 3, LOW, -1), (LOW + 3, LOW - 3, -2), (0, 5, TOP),
             (0, TOP, TOP - 1), (TOP, LOW, LOW), (LOW, TOP, TOP), (0, -5, LOW), (5, 0, -2), (5, 0, 1), (0, 0, 1), (TOP + 1, TOP + 4, 1),
             (LOW - 4, LOW + 2, 1), (1, 10, True), (0, 2**70, 2**69), (-(2**70), 2**70, 2**70)]:
    print(args, count(*args))
for args in [(0, 5, 0), (0, 1.5, 1), ("a", 1, 1), (None, 3, 1)]:
    try:
        print(count(*args))
    except Exception as e:
        print(type(e).__name__, e)
print(total(TOP - 3, TOP), total(TOP - 1, TOP + 3), total(5, 2), total(True, 4), by_two(TOP - 9, TOP), by_two(0, 11))
print(back(LOW + 5, LOW), back(3, -3), back(0, 0), nested(12), rebinding(4), unbound(3))
try:
    unbound(0)
except UnboundLocalError as e:
    print(e)


class Index:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        print("index", self.n)
        return self.n


print(count(Index(1), Index(4), Index(2)))


def shadow(range):
    return [i for i in range(3)], sum(i for i in range(2))


print(shadow(lambda n: [n, n, "x"][: n + 1] if n == 3 else [1, 2]))


def rebound(n):
    s = 0
    for i in range(n):
        s += i
    return s


print(rebound(5))
real = range
range = lambda n: [100, n]
print(rebound(5))
del range
print(rebound(5))
