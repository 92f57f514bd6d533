"""Pi by throwing darts, and what a walk at random covers: seeded, so that everybody gets the same answer.

    python main.py [THROWS]
"""

import random
import sys


def pi(throws: int, generator: random.Random) -> float:
    inside = 0
    for _ in range(throws):
        x = generator.random()
        y = generator.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / throws


def walk(steps: int, generator: random.Random) -> tuple[int, int]:
    """How many places a walker on a grid visits, and how far from home the walk ends."""
    x = 0
    y = 0
    seen = {(0, 0)}
    for _ in range(steps):
        direction = generator.randrange(4)
        if direction == 0:
            x += 1
        elif direction == 1:
            x -= 1
        elif direction == 2:
            y += 1
        else:
            y -= 1
        seen.add((x, y))
    return len(seen), abs(x) + abs(y)


def main() -> None:
    throws = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    generator = random.Random(2026)
    print(f"pi is about {pi(throws, generator):.4f}")
    places, distance = walk(throws // 10, generator)
    print(f"{throws // 10:,} steps visit {places:,} places and end {distance} blocks from home")


if __name__ == "__main__":
    main()
