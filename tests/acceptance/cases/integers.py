"""Every operator at the boundaries of the machine word, typed and untyped, mixed with bool and float."""

import operator
import warnings

warnings.simplefilter("ignore")
VALUES = [0, 1, -1, 2, 3, -3, 7, 63, 64, 65, 2**31, 2**62 - 1, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64]
VALUES += [-v for v in VALUES[-7:]] + [-(2**63) - 1, True, False, 3037000500, 6148914691236517205]
FLOATS = [0.0, -0.0, 1.5, -2.5, 1e300, 2.0**53, 2.0**63, float("inf"), float("-inf"), float("nan")]


def add(a: int, b: int): return a + b
def sub(a: int, b: int): return a - b
def mul(a: int, b: int): return a * b
def floordiv(a: int, b: int): return a // b
def mod(a: int, b: int): return a % b
def truediv(a: int, b: int): return a / b
def and_(a: int, b: int): return a & b
def or_(a: int, b: int): return a | b
def xor(a: int, b: int): return a ^ b
def shl(a: int, b: int): return a << b
def shr(a: int, b: int): return a >> b
def power(a: int, b: int): return a ** b
def divmod_(a: int, b: int): return divmod(a, b)
def lt(a: int, b: int): return a < b
def le(a: int, b: int): return a <= b
def eq(a: int, b: int): return a == b
def ne(a: int, b: int): return a != b
def gt(a: int, b: int): return a > b
def ge(a: int, b: int): return a >= b
def neg(a: int, b: int): return -a
def invert(a: int, b: int): return ~a
def positive(a: int, b: int): return +a
def absolute(a: int, b: int): return abs(a)
def least(a: int, b: int): return min(a, b), max(a, b)
def mulmod(a: int, b: int): return a * b % 2305843009213693951
def mulmod_by(a: int, b: int): return a * a % b
def mask(a: int, b: int): return (a * b + 12345) & 0xFFFFFFFFFFFFFFFF
def mask63(a: int, b: int): return (a * b - a) & 0x7FFFFFFFFFFFFFFF
def mask32(a: int, b: int): return ((a << 5) + (b ^ a)) & 0xFFFFFFFF
def wrap(a: int, b: int): return (a * 31 + b) % 2**64
def affine(a: int, b: int): return 3 * a + 1 - b
def chained(a: int, b: int): return 0 <= a < b or -5 < a <= 2**62


def run(f, a, b):
    if f in (shl, power) and not -80 < b < 80 or f is power and b > 8:
        return "big"
    try:
        r = f(a, b)
    except Exception as e:
        return f"{type(e).__name__}: {e}"
    return f"{type(r).__name__} {r}"


def loops(f):
    out = 0
    for a in VALUES:
        for b in VALUES:
            text = run(f, a, b)
            out = (out * 31 + hash(text)) % 1000000007
            if a in (2**63 - 1, -(2**63), 3) and b in (-1, 2, 2**63, True):
                print(f.__name__, a, b, text)
    print(f.__name__, out)


def mixed(f):
    for a in FLOATS:
        print(f.__name__, a, [run(f, a, b) for b in VALUES[::3]], [run(f, b, a) for b in VALUES[1::4]],
              [run(f, a, b) for b in FLOATS[::2]])


ALL = [add, sub, mul, floordiv, mod, truediv, and_, or_, xor, shl, shr, power, divmod_, lt, le, eq, ne, gt, ge, neg, invert,
       positive, absolute, least, mulmod, mulmod_by, mask, mask63, mask32, wrap, affine, chained]
for function in ALL:
    loops(function)
for function in [add, sub, mul, floordiv, mod, truediv, lt, eq, ge, power, divmod_, least, and_, neg, absolute, chained]:
    mixed(function)


def accumulate(n: int, step: int):
    total = 2**63 - 1 - 3 * step
    for i in range(n):
        total += step
        if i == 5:
            print("half", total)
    return total


def down(n: int):
    x = -(2**63) + n
    while x > -(2**63) - 4:
        x -= 1
    return x


def back_again(n: int):
    x, high = 2**62, 0
    for i in range(n):
        x = x * 2 - i
        high = max(high, x)
        x //= 2
    return x, high


def factorial(n: int) -> int:
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def big_result(n: int) -> int:
    return 2**62 * n if n < 2 else big_result(n - 1) + big_result(n - 2)


print(accumulate(10, 1), accumulate(10, 2**62), down(3), back_again(20), factorial(20), factorial(21), factorial(30))
print(fib(15), big_result(10))
print([operator.index(accumulate(k, k)) for k in range(5)])
