"""Trees of operations on arrays as annotations and callers describe them."""
import numpy as np
from numpy.typing import NDArray

F = NDArray[np.float64]


def chain(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]):
    return (a * b + c) * (a - b) / (c + 2.0)


def named(a: NDArray[np.float64], b: NDArray[np.float64]):
    product = a * b
    shifted = np.sqrt(product + 1.5) * 2.0
    return np.where(shifted > 3.0, shifted, -shifted)


def used_twice(a: NDArray[np.float64]):
    t = a * 2.0
    u = t + 1.0
    return t, u * t, u


def both_ways(a: NDArray[np.float64], flag):
    t = a * a - 1.0
    if flag:
        return t + a
    return t / 2 * a


def integers(a: NDArray[np.int32], b: NDArray[np.int64], c: NDArray[np.uint8]):
    return (a + b) * 3 - (b % 7), (c + 250) * 2, a // 3 + b, (a < b) & (c > 3), ~c | 1, a << 2 ^ b


def mixed(a: NDArray[np.float32], b: NDArray[np.int32], c: NDArray[np.bool_]):
    return a * 2.5 + 1, a * b - 1.5, a + c * a, np.where(c, a, b) * 2, a**2 + a**0.5, -a * abs(a)


def unknown(a, b, n):
    r = a * b + 1.0
    for _ in range(n):
        r = r * 0.5 + a
    return r


def totals(a: NDArray[np.float64], b: NDArray[np.float64], i: NDArray[np.int16]):
    return ((a - b) ** 2).sum(), np.sum(a * b), np.mean(a * b + 1), (a + b).mean(), (i * 3).sum(), np.exp(-a).sum()


def alone(a: NDArray[np.float64], b: NDArray[np.float64]):
    return (a * b).sum()


def kept(a: NDArray[np.float64], i: NDArray[np.int64], n: int):
    least = None
    for k in range(n):
        s = (a * k - 1.0).sum()
        if least is None or s < least:
            least = s
    m, t = np.mean(a * 1.0 + n), (i * 3 + n).sum()
    return least, m * 2.0, m.dtype, t // 7, a * m + t


def transcendental(a: NDArray[np.float64], b: NDArray[np.float32]):
    return np.exp(-(a**2)) * np.sin(a * 3.0), np.tanh(b * 2) + np.log1p(np.abs(b)), np.power(np.abs(a) + 1.0, a * 0.5)


def show(value):
    if isinstance(value, tuple):
        for item in value:
            show(item)
    elif isinstance(value, np.ndarray):
        print(value.dtype, value.shape, value.strides, value.tobytes().hex()[:200])
    else:
        print(type(value), value)


random = np.random.default_rng(0)
for shape in ((7,), (3, 4), (1000,), (0,), (2, 3, 4)):
    a, b, c = random.random((3, *shape)) + 0.25
    show(chain(a, b, c))
    show(chain(a.T, b.T, c.T))
    show(named(a, b))
    show(used_twice(a))
    show(both_ways(a, True))
    show(both_ways(a, False))
    show(unknown(a, b, 3))
    show(transcendental(a - 0.5, b.astype(np.float32)))
    if a.size:
        show((alone(a, b), alone(a.T, 2.0)))
        show(kept(a, (b * 100).astype("i8"), 3))
        show(totals(a, b, (a * 100).astype(np.int16)))
    show(mixed(a.astype("f4"), (b * 9).astype("i4"), c > 0.7))
    show(integers((a * 1000).astype("i4"), (b * 1e6).astype("i8"), (c * 100).astype("u1")))

# Other types than promised, scalars, lists, no dimensions: NumPy's own answers.
show(chain(2.0, np.float64(3.0), 4))
show(chain(np.array(2.0), np.array(3.0), np.array(4.0)))
show(chain(np.arange(3), np.arange(3), np.arange(3)))
show(chain(np.arange(3.0), [1, 2, 3], 2))
show(chain(np.arange(3.0, dtype="f4"), 1, 2))
show(chain(np.arange(3.0).astype(">f8"), 1, 2))
show(chain(np.arange(6.0).reshape(2, 3), np.arange(3.0), np.arange(2.0)[:, None]))
show(chain(np.ma.array([1.0, 2.0], mask=[0, 1]), 1.0, 2.0).filled(9.0))
