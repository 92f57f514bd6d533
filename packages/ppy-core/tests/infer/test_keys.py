"""Keys of functions: they change with what the function is made from, and with nothing else."""

from __future__ import annotations

import pytest
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import analyze
from ppy_compiler.infer.keys import function_keys
from ppy_compiler.support.source import Source

PROGRAM = """
import math

LIMIT = 10


def leaf(n: int) -> int:
    return n + 1


def user(n: int) -> int:
    return leaf(n) + LIMIT


def free(x):
    return x * 2


def apart(x: float) -> float:
    return math.sqrt(x)


class Box:
    def __init__(self, size: int) -> None:
        self.size = size

    def grown(self) -> int:
        return self.size + 1


print(user(1), free(3), apart(2.0))
"""


def keys(text: str) -> dict[str, str]:
    source = Source.from_text(text, "t.py")
    return function_keys(analyze(build_module(source, "t")), source)


BEFORE = keys(PROGRAM)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("return n + 1", "return 1 + n", {"leaf"}),
        ("return n + 1", "return n % 7", {"leaf", "user", "<module>"}),
        ("LIMIT = 10", "LIMIT = 20", {"user", "<module>"}),
        ("free(3)", "free(2.5)", {"free", "<module>"}),
        ("x * 2", "x * 3", {"free"}),
        ("size: int", "size: float", {"Box.__init__", "Box.grown", "Box"}),
        ("import math\n", "import math\n\n\n# a comment\n", set()),
        ("apart(2.0)", "apart(2.5)", {"<module>"}),
    ],
)
def test_one_edit(old: str, new: str, changed: set[str]) -> None:
    after = keys(PROGRAM.replace(old, new))
    differing = {sym for sym in BEFORE if BEFORE[sym] != after[sym]}
    assert differing - {"<module>"} == changed - {"<module>"}
    if "<module>" in changed:
        assert "<module>" in differing


def test_keys_are_the_same_in_every_run() -> None:
    assert keys(PROGRAM) == BEFORE
