"""Primes just above 2**61, by Miller and Rabin's test with the first twelve primes as bases."""

from __future__ import annotations

from timing import main


def power(base: int, exponent: int, modulus: int) -> int:
    result = 1
    base = base % modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent = exponent // 2
    return result


def passes(n: int, base: int, odd: int, twos: int) -> bool:
    """Whether n looks prime to this base."""
    x = power(base, odd, n)
    if x == 1 or x == n - 1:
        return True
    for _ in range(twos - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def is_prime(n: int) -> bool:
    odd = n - 1
    twos = 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    prime = True
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        prime = prime and passes(n, base, odd, twos)
    return prime


def kernel(count: int) -> int:
    found = 0
    for i in range(count):
        if is_prime(2305843009213693952 + 2 * i + 1):
            found += 1
    return found


if __name__ == "__main__":
    main(kernel)
