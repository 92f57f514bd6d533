"""Loops inside loops whose integers leave 64 bits in one of them, and come back: short ones, long ones, three deep."""

BIG = 2**62


def short(rows: int, x: int, at: int) -> int:
    for i in range(rows):
        for j in range(10):
            x += BIG if i == at and j > 6 else j
        if x > BIG:
            x -= 3 * BIG
    return x


def long(rows: int, width: int, x: int, at: int) -> int:
    for i in range(rows):
        for j in range(width):
            x += BIG if i == at and j > width - 4 else j
        if x > BIG:
            x -= 3 * BIG
    return x


def siblings(rows: int, width: int, x: int) -> tuple[int, int]:
    y = 0
    for i in range(rows):
        j = 0
        while j < width:
            x = x * 3 if i == 4 and j > width - 50 else x + j
            j += 1
        x %= 1_000_003
        for k in range(width):
            y += k - i
            if i == 6 and k == 70:
                y += BIG * 5
        y %= 99_991
    return x, y


def three(n: int, x: int) -> int:
    for i in range(n):
        for j in range(n):
            for k in range(n):
                x += BIG if i == 3 and j == 4 and k > n - 4 else k ^ j
                if k == n - 2 and j == 7:
                    break
            if j == n - 1 and i == 5:
                continue
        if x > BIG:
            x -= 3 * BIG
    return x


def failing(rows: int, width: int, divisor: int) -> int:
    total = 0
    for i in range(rows):
        try:
            for j in range(width):
                total += (BIG * 3 if i == 2 and j < 3 else j) // (divisor - i)
        except ZeroDivisionError:
            total -= 9 * BIG // 4
        while total > BIG:
            total -= BIG
    return total


def found(rows: int, width: int, wanted: int) -> tuple[int, int]:
    x = 0
    for i in range(rows):
        for j in range(width):
            x += BIG * 2 if i == 1 and j == 60 else 1
            if x % 1000 == wanted:
                return i, j
        x %= 10_007
    return -1, x


print(short(50, 5, -1), short(50, 5, 7), short(50, 5, 49))
print(long(50, 200, 5, -1), long(50, 200, 5, 7), long(50, 200, 5, 49))
print(siblings(20, 150, 1))
print(three(25, 0))
print(failing(8, 120, 5), failing(8, 120, 100))
print(found(60, 150, 999), found(60, 150, 1000))
