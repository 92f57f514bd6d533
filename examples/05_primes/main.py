"""The next primes after a number, by Miller and Rabin's test: exact for everything below 3.3e24.

    python main.py [START] [COUNT]

Products of two numbers near 2**61 need 128 bits; past 2**64 the same code goes on with Python's integers.
"""

import sys

BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def power(base: int, exponent: int, modulus: int) -> int:
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent //= 2
    return result


def is_prime(n: int) -> bool:
    if n < 2:
        return False
    for small in BASES:
        if n % small == 0:
            return n == small
    odd = n - 1
    twos = 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    for base in BASES:
        x = power(base, odd, n)
        if x == 1 or x == n - 1:
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def following(start: int, count: int) -> list[int]:
    found = []
    n = start
    while len(found) < count:
        n += 1
        if is_prime(n):
            found.append(n)
    return found


def main() -> None:
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    for start in [int(sys.argv[1])] if len(sys.argv) > 1 else [100, 2**31, 2**61, 2**70]:
        print(f"after {start}:", *(f"+{prime - start}" for prime in following(start, count)))


if __name__ == "__main__":
    main()
