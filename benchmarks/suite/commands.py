"""Whole commands: how long starting, checking and compiling take, in processes of their own.

Every command of a row runs once in each round. A cold command has a cache directory of its own that does not exist yet,
so it links PPY's own support library, too.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from suite.engines import PPY, PROGRAMS
from suite.generated import functions_for, program
from suite.model import Bar, Row

Command = tuple[list[str], Path | None]  # the words, and the cache directory


@dataclass(frozen=True, slots=True)
class Timed:
    name: str
    what: str
    cpu: bool  # seconds of the processor instead of the clock
    columns: Callable[[Path], dict[str, Iterator[Command]]]
    bars: tuple[Bar, ...]


def timed(words: list[str], cache: Path | None, workspace: Path) -> tuple[float, float, str]:
    """How long the command took by the clock and of the processor, and what it printed."""
    environ = {**os.environ, "XDG_CACHE_HOME": str(workspace / "user")}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed compiler has its byte code
    if cache is not None:
        environ["PPY_CACHE_DIR"] = str(cache)
    begin = time.perf_counter()
    with (workspace / "stderr").open("w+") as stderr:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=stderr, env=environ, cwd=workspace, text=True)
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            stderr.seek(0)
            raise RuntimeError(f"{' '.join(words)} ended with status {process.returncode}: {stderr.read()}")
    return wall, usage.ru_utime + usage.ru_stime, output


def fixed(*words: str, cache: Path | None = None) -> Iterator[Command]:
    while True:
        yield list(words), cache


def cold(workspace: Path, *words: str) -> Iterator[Command]:
    for i in count():
        yield list(words), workspace / "cold" / f"{Path(words[-1]).stem}-{i}"


def edited(workspace: Path, command: str, path: Path, functions: int) -> Iterator[Command]:
    """The same program, each time after one more edit of one function; all share one cache."""
    cache = workspace / "edited" / command
    for i in count(1):
        path.write_text(program(functions, edit=i))
        yield [str(PPY), command, str(path)], cache


def trivial(workspace: Path) -> dict[str, Iterator[Command]]:
    path = workspace / "hello.py"
    path.write_text("print('hello')\n")
    cache = workspace / "warm"
    return {"python": fixed(sys.executable, str(path)), "ppy run, warm": fixed(str(PPY), "run", str(path), cache=cache)}


def sixty(workspace: Path) -> dict[str, Iterator[Command]]:
    path = str(PROGRAMS / "sixty_lines.py")
    return {"python": fixed(sys.executable, path), "ppy run, cold": cold(workspace, str(PPY), "run", path)}


def importing(_workspace: Path) -> dict[str, Iterator[Command]]:
    return {
        "python -c pass": fixed(sys.executable, "-c", "pass"),
        "import ppy": fixed(sys.executable, "-c", "import ppy"),
    }


def checking(workspace: Path) -> dict[str, Iterator[Command]]:
    functions = functions_for(2000)
    path = workspace / "checked.py"
    path.write_text(program(functions))
    return {
        "cold": cold(workspace, str(PPY), "check", str(path)),
        "after one edit": edited(workspace, "check", workspace / "changing_check.py", functions),
    }


def compiling(workspace: Path) -> dict[str, Iterator[Command]]:
    found = {}
    for lines in (500, 1000, 2000):
        path = workspace / f"lines_{lines}.py"
        path.write_text(program(functions_for(lines)))
        found[f"{lines:,} lines, cold"] = cold(workspace, str(PPY), "run", str(path))
    found["2,000 lines, after one edit"] = edited(workspace, "run", workspace / "changing_run.py", functions_for(2000))
    return found


def more(milliseconds: float, ours: str, theirs: str) -> Bar:
    return Bar(f"at most {milliseconds:g} ms more", ours, theirs, most=milliseconds / 1000, difference=True)


TIMED = (
    Timed("warm", "a trivial program", False, trivial, (more(30, "ppy run, warm", "python"),)),
    Timed("cold", "a program of 60 lines", False, sixty, (more(500, "ppy run, cold", "python"),)),
    Timed("import", "`import ppy`", False, importing, (more(5, "import ppy", "python -c pass"),)),
    Timed(
        "check",
        "`ppy check` of 2,000 lines, 111 functions",
        False,
        checking,
        (
            Bar("cold: at most 1.2 s", "cold", most=1.2),
            Bar("after one edit: at most 0.5 s", "after one edit", most=0.5),
        ),
    ),
    Timed(
        "compile",
        "`ppy run` of 2,000 lines, 111 functions, CPU time",
        True,
        compiling,
        (
            Bar("cold: at most 6 s of CPU", "2,000 lines, cold", most=6.0),
            Bar("after one edit: at most 1 s of CPU", "2,000 lines, after one edit", most=1.0),
            Bar("linear: 2,000 lines at most 2.2 × 1,000", "2,000 lines, cold", "1,000 lines, cold", most=2.2),
            Bar("linear: 1,000 lines at most 2.2 × 500", "1,000 lines, cold", "500 lines, cold", most=2.2),
        ),
    ),
)


def commands(workspace: Path, rounds: int, wanted: set[str]) -> list[Row]:
    return [one_row(row, workspace, rounds) for row in TIMED if row.name in wanted]


def one_row(row: Timed, workspace: Path, rounds: int) -> Row:
    """One round warms up: byte code of the compiler, the caches that are to be warm."""
    columns = row.columns(workspace)
    seconds: dict[str, list[float]] = {name: [] for name in columns}
    processor: dict[str, list[float]] = {name: [] for name in columns}
    outputs: dict[str, str] = {}
    for turn in range(rounds + 1):
        for name, stream in columns.items():
            words, cache = next(stream)
            wall, cpu, outputs[name] = timed(words, cache, workspace)
            if turn > 0:
                seconds[name].append(cpu if row.cpu else wall)
                processor[name].append(cpu)
    notes = {} if row.cpu else {name: f"CPU time {statistics.median(processor[name]):.3f} s" for name in columns}
    if "python" in outputs:
        notes |= {name: "another output" for name, text in outputs.items() if text != outputs["python"]}
    return Row("commands", row.name, row.what, "ms", seconds, notes, row.bars)
