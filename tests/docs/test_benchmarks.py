"""The benchmarks hold together: programs that are declared exist, run, and agree; the page is what the numbers say."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(FOLDER))

from page import page  # noqa: E402
from suite import commands, generated, kernels, model, patterns  # noqa: E402
from suite.engines import cpython, gcc  # noqa: E402
from suite.workers import take_turns  # noqa: E402

SMALL = {"collatz": 300, "mandelbrot": 10, "fib": 12}


@pytest.mark.parametrize("kernel", kernels.KERNELS, ids=lambda kernel: kernel.name)
def test_python_and_c_agree(kernel: kernels.Kernel, tmp_path: Path) -> None:
    argument = str(SMALL.get(kernel.name, 50))
    turns = {"CPython": [*cpython(kernel.name, tmp_path), argument]}
    if kernels.GCC in kernel.peers and shutil.which("gcc"):
        turns["gcc"] = [*gcc(kernel.name, tmp_path), argument]
    for series in take_turns(turns, 1).values():
        assert series.note == ""
        assert len(series.seconds) == 1


def test_a_worker_that_ends_or_differs_is_noted() -> None:
    program = [sys.executable, "-c", "import sys\nfor _ in sys.stdin: print({}, 0.5, flush=True)"]
    series = take_turns(
        {
            "one": [*program[:2], program[2].format(1)],
            "two": [*program[:2], program[2].format(2)],
            "none": [sys.executable, "-c", "raise SystemExit('gone')"],
        },
        2,
    )
    assert series["one"].note == ""
    assert series["two"].note == "another result: 2"
    assert series["none"].note == "failed: gone"


def test_a_bar_is_judged_by_the_rounds() -> None:
    seconds = {"a": [1.0, 2.0, 9.0], "b": [1.0, 4.0, 9.0]}
    assert model.judge(model.Bar("", "a", "b", most=1.0), seconds) == {"measured": 1.0, "met": True}
    assert model.judge(model.Bar("", "a", "b", least=1.5), seconds)["met"] is False
    assert model.judge(model.Bar("", "a", "b", most=0.0, difference=True), seconds)["measured"] == 0.0
    assert model.judge(model.Bar("", "a", "c", most=1.0), seconds)["met"] is None


@pytest.mark.parametrize("lines", [500, 1000, 2000])
def test_the_long_program(lines: int) -> None:
    functions = generated.functions_for(lines)
    text = generated.program(functions)
    assert abs(text.count("\n") - lines) < lines // 20
    assert text == generated.program(functions)
    changed = zip(text.splitlines(), generated.program(functions, edit=1).splitlines(), strict=True)
    assert sum(a != b for a, b in changed) == 1
    tree = ast.parse(text)
    assert sum(isinstance(node, ast.FunctionDef) for node in tree.body) == functions + 1


def test_patterns_are_found() -> None:
    for file in patterns.FILES:
        assert len(patterns.names(file)) > 10


def test_the_page_says_what_was_measured() -> None:
    bar = model.Bar("at most 1.5 × never", "ppy", "CPython", most=1.5)
    row = model.Row("kernels", "x", "the thing", "ms", {"CPython": [0.1], "ppy": [0.2]}, {}, [bar])
    machine = {"date": "today", "commit": "c", "processor": "p", "cores": 2, "system": "s", "load": 0, "engines": {}}
    text = page([{"rounds": 1, "machine": machine, "rows": [json.loads(json.dumps(row.data()))]}])
    assert "0 of 1 bars are met. Not met:" in text
    assert "- the thing: at most 1.5 × never; 2.00 ×" in text


def test_a_whole_command_is_timed(tmp_path: Path) -> None:
    wall, cpu, output = commands.timed([sys.executable, "-c", "print(1)"], None, tmp_path)
    assert output == "1\n"
    assert wall > 0 < cpu
    with pytest.raises(RuntimeError, match="status 1: gone"):
        commands.timed([sys.executable, "-c", "raise SystemExit('gone')"], None, tmp_path)


def test_the_programs_are_plain_python() -> None:
    for path in sorted((FOLDER / "programs").glob("*.py")):
        subprocess.run([sys.executable, "-m", "py_compile", str(path)], check=True)
