"""Everyday patterns under CPython and natively: annotated, and without annotations, where nothing is known of `n`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from suite.engines import PPY, PROGRAMS
from suite.model import Bar, Row
from suite.workers import take_turns

FILES = ("patterns_data", "patterns_code")
COUNT = 100_000
BARS = (
    Bar("not slower than CPython", "ppy", "CPython", most=1.0),
    Bar("unannotated: not slower than CPython", "ppy, unannotated", "CPython", most=1.0),
)


def names(file: str) -> list[str]:
    text = (PROGRAMS / f"{file}.py").read_text(encoding="utf-8")
    return re.findall(r"^    (\w+),$", text[text.index("PATTERNS") :], re.MULTILINE)


def patterns(workspace: Path, rounds: int) -> list[Row]:
    shutil.copy(PROGRAMS / "timing.py", workspace)
    return [one_pattern(file, i, workspace, rounds) for file in FILES for i in range(len(names(file)))]


def one_pattern(file: str, number: int, workspace: Path, rounds: int) -> Row:
    source = PROGRAMS / f"{file}.py"
    bare = workspace / f"{file}_bare.py"
    bare.write_text(re.sub(r"\(n: int\) -> \w+:", "(n):", source.read_text(encoding="utf-8")), encoding="utf-8")
    arguments = [str(number), str(COUNT)]
    run = [str(PPY), "run", f"--cache-dir={workspace / 'cache'}"]
    series = take_turns(
        {
            "CPython": [sys.executable, str(source), *arguments],
            "ppy": [*run, str(source), *arguments],
            "ppy, unannotated": [*run, str(bare), *arguments],
        },
        rounds,
    )
    name = names(file)[number]
    return Row(
        "patterns",
        f"patterns/{name}",
        name,
        "ms",
        {column: one.seconds for column, one in series.items()},
        {column: one.note for column, one in series.items()},
        BARS,
    )
