"""Facts against runs: programs are executed by CPython, and every variable, whenever it is assigned, is compared with
its fact.

The programs keep their integers small and their containers of one type, so that no guard would fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PROGRAMS = {
    "collatz": """
def longest(limit: int) -> int:
    best = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > best:
            best = steps
    return best

answer = longest(50)
""",
    "hashes": """
def fnv(data, rounds):
    h = 0xcbf29ce484222325
    for _ in range(rounds):
        for b in data:
            h = ((h ^ b) * 0x100000001b3) & 0xffffffffffffffff
        x = h ^ (h >> 12)
        x = (x ^ (x << 25)) & 0xffffffffffffffff
        low = x & 0xff
        high = x >> 56
    return h

value = fnv(b"some bytes", 5)
""",
    "exceptions": """
def risky(n):
    state = 0
    for i in range(n):
        try:
            state = 1
            q = 10 // (i % 3)
            state = 2
            if i == 4:
                continue
        except ZeroDivisionError as e:
            q = -1
            state += 10
        finally:
            state *= 2
        last = (q, state)
    return state

for limit in (0, 1, 7):
    try:
        result = risky(limit)
    except UnboundLocalError:
        result = None
""",
    "sorting": """
def quicksort(xs: list[int], lo: int, hi: int) -> None:
    while lo < hi:
        pivot = xs[(lo + hi) // 2]
        i = lo
        j = hi
        while i <= j:
            while xs[i] < pivot:
                i += 1
            while xs[j] > pivot:
                j -= 1
            if i <= j:
                xs[i], xs[j] = xs[j], xs[i]
                i += 1
                j -= 1
        if j - lo < hi - i:
            quicksort(xs, lo, j)
            lo = i
        else:
            quicksort(xs, i, hi)
            hi = j

data = [(k * 7919) % 101 for k in range(60)]
quicksort(data, 0, len(data) - 1)
first, *rest = data
""",
    "mixed": """
import math

scale = 2.5
count = 0

def note(x):
    global count
    count += 1
    kept = x * scale
    return kept if kept > 1 else None

def closure(k):
    total = k
    def add(v):
        got = total + v
        return got
    return add

for step in (1, 2.0, True):
    noted = note(step)
    here = count
adder = closure(3)
summed = adder(4)
text = "abc"
for index, letter in enumerate(text):
    code = ord(letter) - index
    pair = (letter, code)
table = {"a": 1, "b": 2}
for key, item in table.items():
    shown = f"{key}{item}"
for left, right in zip([1, 2], "xy"):
    both = left, right
root = math.sqrt(count)
area = math.pi * root ** 2
big = 1 << 40
word = big & 0xffff
negative = -7 // 2
remainder = -7 % 3
quotient, rest = divmod(-17, 5)
flags = [False] * 3
flags[1] = True
chosen = [n for n in range(5) if n % 2]
smallest = min(3, len(chosen), count)
either = 1 if flags[0] else 2.5
while either:
    either = 0
else:
    finished = True
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, run_probed: Callable[[str], Any]) -> None:
    result = run_probed(PROGRAMS[name])
    assert result.seen > 10
    assert result.wrong == []


NAMES = ["a", "b", "c"]
ATOM = st.sampled_from([*NAMES, *NAMES, "0", "1", "2", "7", "-3", "2.5", "True", "i"])
OPERATOR = st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^", ">>", "/"])
RELATION = st.sampled_from(["<", "<=", "==", "!=", ">", ">="])


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """Small, so that values stay small: every result is reduced before it is stored."""
    left, op, right = draw(ATOM), draw(OPERATOR), draw(ATOM)
    text = f"({left} {op} {right})"
    if draw(st.booleans()):
        text = f"({text} {draw(OPERATOR)} {draw(ATOM)})"
    return draw(
        st.sampled_from(
            [text, f"min({text}, 9)", f"abs({text})", f"({text} if a {draw(RELATION)} b else c)", f"-{text}"]
        )
    )


@st.composite
def statements(draw: st.DrawFn, depth: int = 0) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 6 if depth < 2 else 2))
        name = draw(st.sampled_from(NAMES))
        if kind <= 2:
            lines.append(f"{name} = {draw(expressions())}")
            lines.append(f"{name} = small({name})")
            continue
        step = draw(st.sampled_from([1, 2, -1]))
        head = {
            3: f"if {draw(ATOM)} {draw(RELATION)} {draw(ATOM)}:",
            4: f"for i in range({draw(st.integers(-2, 3))}, {draw(st.integers(0, 6))}, {step}):",
            5: "try:",
            6: f"while {name} {draw(RELATION)} {draw(ATOM)}:",
        }[kind]
        inner = draw(statements(depth + 1))
        if kind == 6:
            inner = [*inner, "fuel += 1", "if fuel > 20:", "    break"]
        lines += [head, *("    " + line for line in inner)]
        if kind == 5:
            lines += ["except (ZeroDivisionError, TypeError, ValueError):", f"    {name} = {draw(ATOM)}"]
        elif kind == 3 and draw(st.booleans()):
            lines += ["else:", *("    " + line for line in draw(statements(depth + 1)))]
    return lines


EXPECTED = "except (ZeroDivisionError, TypeError, ValueError):"


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


HELPER = """
def small(x):
    return x if -1000 < x < 1000 else x % 7
"""


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(body=statements(), module_level=st.booleans())
def test_generated(body: list[str], module_level: bool, run_probed: Callable[[str], Any]) -> None:
    start = ["a = 5", "b = -2", "c = 0.5", "i = 3", "fuel = 0"]
    call = ["r = f(5, -2, 0.5)"]
    function = ["def f(a, b, c):", *indented([*start[3:], *body, "return a"])]
    tried = [*start, *body] if module_level else call
    lines = [*([] if module_level else function), "try:", *indented(tried), EXPECTED, "    pass"]
    text = HELPER + "\n".join(lines) + "\n"
    assert run_probed(text).wrong == [], text
