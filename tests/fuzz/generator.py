"""What both profiles of generated programs share: lines with indentation, choices, the program around the functions."""

from __future__ import annotations

import random
from pathlib import Path

PRELUDE = Path(__file__).with_name("prelude.py").read_text(encoding="utf-8")
EDGES = (
    "0 1 -1 2 3 -3 7 10 63 64 255 1000 -1000 MAX MIN MAX-1 MIN+1 MAX+1 MIN-1 WORD WORD+1 WORD-1 (1<<62) -(1<<62) "
    "(1<<31) -(1<<31) (1<<32) (1<<53) (1<<53)+1 3037000500 -3037000500 6148914691236517205"
).split()
FLOATS = (
    "0.0 -0.0 1.0 0.5 -2.5 1e300 -1e300 1e-300 3.14 9.223372036854775807e18 float('inf') float('-inf') float('nan')"
).split()


class Writer:
    """One program: functions are written one after the other, each may call the earlier ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.number = 0
        self.functions: list[tuple[str, int]] = []
        """Name and number of parameters."""

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self) -> int:
        self.number += 1
        return self.number

    def choose(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def integer(self) -> str:
        return f"({self.random.choice(EDGES)})" if self.chance(0.6) else str(self.random.randrange(-9, 100))

    def function(self, name: str) -> None:
        raise NotImplementedError

    def arguments(self, count: int) -> list[str]:
        raise NotImplementedError

    def program(self, functions: int, calls: int) -> str:
        for _ in range(functions):
            self.function(f"f{len(self.functions)}")
        for name, count in self.functions:
            for _ in range(calls):
                self.emit(0, f"attempt({', '.join([name, *self.arguments(count)])})")
        return PRELUDE + "\n\n" + "\n".join(self.lines) + "\n"
