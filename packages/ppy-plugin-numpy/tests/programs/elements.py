"""Elements of arrays in loops: types, indices, layouts, errors."""
from __future__ import annotations

import traceback
import warnings

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


def show(*values: object) -> None:
    print(*[f"{type(value).__name__} {value!r}" for value in values])


def attempt(function, *args: object) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            show(function(*args))
        except Exception as error:
            print(type(error).__name__, error)
            traceback.print_exc(limit=-1)
    for warning in seen:
        print(warning.category.__name__, warning.message, warning.lineno)


def total(a: NDArray[np.float64]):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


def count(a: NDArray[np.int64]):
    n = 0
    for i in range(len(a)):
        n += a[i]
    return n


def at(a: NDArray[np.float64], i: int):
    return a[i]


def at2(a: NDArray[np.float64], i: int, j: int):
    return a[i, j]


def put(a: NDArray[np.float64], i: int, x: float):
    a[i] = x
    return a.tolist()


def add2(a: NDArray[np.float64], i: int, j: int, x: float):
    a[i, j] += x
    return a.tolist()


def last(a: NDArray[np.float64]):
    a[-1] = a[-2] + a[0]
    return a[-1]


def fill_i8(a: NDArray[np.int8], n: int):
    for i in range(n):
        a[i] = i * 50
    return a.tolist()


def fill_u8(a: NDArray[np.uint8], n: int):
    for i in range(n):
        a[i] = 254 + i
    return a.tolist()


def fill_i32(a: NDArray[np.int32], x: int):
    for i in range(len(a)):
        a[i] = x * i
    return a.tolist()


def fill_u64(a: NDArray[np.uint64], x: int):
    for i in range(len(a)):
        a[i] = x + i
    return a.tolist()


def fill_f32(a: NDArray[np.float32], x: float):
    for i in range(len(a)):
        a[i] = x * i
    return a.tolist()


def fill_bool(a: NDArray[np.bool_], limit: int):
    for i in range(len(a)):
        a[i] = i < limit
    return a.tolist()


def read_bool(a: NDArray[np.bool_]):
    n = 0
    for i in range(len(a)):
        if a[i]:
            n += 1
    return n, a[0]


def arithmetic(a: NDArray[np.float64], i: int, x: float, k: int):
    y = a[i]
    return y + x, x - y, y * k, y / 3.0, -y, y**2.0, y < x, y == k, 2 * y, k - y


def words(a: NDArray[np.int64], i: int, k: int):
    y = a[i]
    return y + k, k - y, y * k, y / 4, y // 3, y % 3, -y, y & k, y | k, y ^ k, y >> 1, y < k, y != k, y + 0.5


def divide(a: NDArray[np.float64], b: NDArray[np.float64]):
    s = 0.0
    for i in range(len(a)):
        s = a[i] / b[i]
    return s


def multiply(a: NDArray[np.float64], b: NDArray[np.float64]):
    s = 1.0
    for i in range(len(a)):
        s = a[i] * b[i]
    return s


def floor_divide(a: NDArray[np.int64], b: NDArray[np.int64]):
    s = 0
    for i in range(len(a)):
        s = a[i] // b[i]
    return s


def product(a: NDArray[np.int64]):
    p = 1
    for i in range(len(a)):
        p = p * a[i]
    return p


def kinds(a: NDArray[np.float64]):
    x = a[0]
    found = [x, (x,), {x: 1}, isinstance(x, float), isinstance(x, np.floating), x.dtype, str(x), f"{x:.3f}", hash(x)]
    return found, x is None, bool(x)


def transpose(a: NDArray[np.float64], out: NDArray[np.float64]):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            out[j, i] = a[i, j]
    return out.tolist()


def shift(a: NDArray[np.float64], b: NDArray[np.float64]):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + 1.0
    return a.tolist()


def half_way(a: NDArray[np.float64], n: int):
    for i in range(n):
        a[i] = 1.0 + i
    return a.tolist()


def in_try(a: NDArray[np.float64], n: int):
    done = 0
    for i in range(n):
        try:
            a[i] = 1.0
        except IndexError as error:
            print("caught", error)
            continue
        done += 1
    return done


def cube(a: NDArray[np.float64]):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s += a[i, j, k] * (i + 2 * j + 3 * k)
    return s


class Sub(np.ndarray):
    def __getitem__(self, index):
        return 7.0


a = np.array([1.5, -2.25, 4.0, 0.5])
show(total(a), total(a[::-1]), total(a[::2]), total(a[:0]), total(np.broadcast_to(2.5, (3,))))
show(total([1.0, 2.0]), total((1, 2)), total(a.astype(np.float32)), total(a.astype(">f8")), total(np.arange(4)))
show(total(a.view(Sub)), total(np.array([1, 2.5], dtype=object)), total(np.ma.array([1.0, 2.0], mask=[0, 1])))
show(total(np.frombuffer(b"\0" + a.tobytes(), dtype=np.float64, offset=1)))
attempt(total, np.arange(6.0).reshape(2, 3))
attempt(total, np.array(3.0))
show(count(np.arange(5)), count(np.array([], dtype=np.int64)), count([1, 2]), count(np.arange(5, dtype=np.int32)))
attempt(count, np.array([2**62, 2**62, 5]))
attempt(product, np.array([2**40, 2**40]))
attempt(product, np.array([2**40, 3]))
INDICES = (0, 3, -1, -4, 4, -5, 2**63, -(2**70), True, False, np.int64(2), np.int64(-9), np.uint8(1), 1.0, None, "x")
for index in INDICES:
    attempt(at, a, index)
m = np.arange(12.0).reshape(3, 4)
PAIRS = ((0, 0), (2, 3), (-1, -1), (-3, 0), (3, 0), (0, 4), (0, -5), (True, 0), (np.int64(1), 2), (2**64, 0), (1.0, 0))
for i, j in PAIRS:
    attempt(at2, m, i, j)
    attempt(at2, m.T, i, j)
    attempt(add2, m.copy(), i, j, 0.5)
attempt(at2, a, 0, 0)
attempt(at2, np.zeros((2, 2, 2)), 0, 0)
attempt(at, m, 1)
for value in (2.5, 3, True, "4.5", None, [1.0], np.float32(1.1), np.float64(9.0), np.array(2.0), 10**400, 1j, 2**70):
    attempt(put, a.copy(), 1, value)
    attempt(put, np.zeros(2, dtype=np.int64), 1, value)
frozen = a.copy()
frozen.flags.writeable = False
attempt(put, frozen, 1, 2.0)
attempt(put, np.broadcast_to(0.0, (3,)), 1, 2.0)
attempt(last, a.copy())
attempt(last, a[:1].copy())
attempt(fill_i8, np.zeros(3, np.int8), 2)
attempt(fill_i8, np.zeros(3, np.int8), 3)
attempt(fill_i8, np.zeros(3, np.int8), 4)
attempt(fill_u8, np.zeros(3, np.uint8), 2)
attempt(fill_u8, np.zeros(3, np.uint8), 3)
attempt(fill_i32, np.zeros(3, np.int32), -7)
attempt(fill_i32, np.zeros(3, np.int32), 2**31 - 1)
attempt(fill_u64, np.zeros(2, np.uint64), 3)
attempt(fill_u64, np.zeros(2, np.uint64), 2**63 - 1)
attempt(fill_u64, np.zeros(2, np.uint64), -1)
attempt(fill_f32, np.zeros(3, np.float32), 0.1)
attempt(fill_f32, np.zeros(3, np.float32), 3e38)
attempt(fill_f32, np.zeros(3, np.float32), float("inf"))
attempt(fill_bool, np.zeros(4, bool), 2)
attempt(read_bool, np.array([True, False, True]))
attempt(read_bool, [True, 0, 2])
for x, k in ((1.5, 2), (0.0, 0), (float("nan"), 3), (1e308, 10**15), (float("inf"), 2**62), (2, 1), (1.0, 2**70)):
    for i in range(3):
        attempt(arithmetic, np.array([1.5, 1e300, 0.0]), i, x, k)
for k in (3, -3, 0, 1, 2**62, -(2**63), 2**63, True):
    for i in range(4):
        attempt(words, np.array([7, -7, 2**63 - 1, -(2**63)]), i, k)
attempt(divide, a, np.array([1.0, 2.0, 0.0, 4.0]))
attempt(divide, np.zeros(2), np.zeros(2))
attempt(multiply, np.array([1e200, 2.0]), np.array([1e200, 3.0]))
attempt(multiply, np.array([1e-200, 2.0]), np.array([1e-200, 3.0]))
with np.errstate(all="raise"):
    attempt(divide, a, np.array([1.0, 2.0, 0.0, 4.0]))
    attempt(multiply, np.array([1e-200, 2.0]), np.array([1e-200, 3.0]))
with np.errstate(under="warn", over="ignore"):
    attempt(multiply, np.array([1e-200, 2.0]), np.array([1e-200, 3.0]))
    attempt(multiply, np.array([1e200, 2.0]), np.array([1e200, 3.0]))
with np.errstate(under="raise"):
    attempt(fill_f32, np.zeros(3, np.float32), 1e-42)
attempt(floor_divide, np.array([7, -7, 1]), np.array([2, 2, 0]))
attempt(floor_divide, np.array([-(2**63)]), np.array([-1]))
show(kinds(a))
show(transpose(m, np.zeros((4, 3))), transpose(m.T, np.zeros((3, 4))), transpose(m[::2, ::-1], np.zeros((4, 2))))
attempt(transpose, m, np.zeros((3, 4)))
b = np.arange(5.0)
show(shift(b, b), shift(b[1:], b[:-1]), shift(b[::-1], b))
for n in (3, 5):
    c = np.zeros(4)
    attempt(half_way, c, n)
    print(c)
show(in_try(np.zeros(2), 4))
show(cube(np.arange(24.0).reshape(2, 3, 4)), cube(np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)))


def mixed_choices(a: NDArray[np.float64], i: NDArray[np.int64], b: NDArray[np.bool_], n: int, f: float):
    for k in range(len(a)):
        v, w, c = a[k], i[k], b[k]
        print(max(v, w), min(w, v), max(v, n), min(f, w), max(c, w), abs(c), max(True, w), max(f, v), max(w, n << 3))


mixed_choices(np.array([1.5, np.nan, -0.0]), np.array([2, 3, 0]), np.array([True, False, False]), 2, 1.5)


def constant_indices(a: NDArray[np.float64], m: NDArray[np.int64], t: tuple[int, int], u: tuple[int]):
    s = 0.0
    for i in range(len(a)):
        s += a[u] + a[(1,)] + m[0, 1] * m[1, i % 2] + m[t]
        m[0, 0] += 1
        m[t] = i
        a[u] = a[(2,)]
    return s, m[-1, -1], m[0, 2] if len(a) > 80 else m[1, 1]


show(*constant_indices(np.arange(70.0), np.arange(4).reshape(2, 2), (0, 1), (3,)))
attempt(constant_indices, np.arange(90.0), np.arange(4).reshape(2, 2), (0, 1), (3,))
