"""A program of sixty lines, of the kind that one writes in an afternoon: it counts, filters and sums up a text."""

from __future__ import annotations

TEXT = """
it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness
it was the epoch of belief it was the epoch of incredulity it was the season of light it was the season of darkness
"""


def count_words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def most_common(counts: dict[str, int], n: int) -> list[tuple[str, int]]:
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return pairs[:n]


def is_prime(n: int) -> bool:
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return False
        divisor += 1
    return True


def mean(values: list[float]) -> float:
    if not values:
        raise ValueError("no values")
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def main() -> None:
    counts = count_words(TEXT)
    for word, times in most_common(counts, 5):
        print(f"{word:>12} {times}")
    lengths = [float(len(word)) for word in counts]
    print(f"{len(counts)} words, {mean(lengths):.3f} letters each")
    primes = 0
    for n in range(1000):
        if is_prime(n):
            primes += 1
    print(primes, "primes below 1000")
    try:
        mean([])
    except ValueError as error:
        print("expected:", error)


if __name__ == "__main__":
    main()
