"""The kernels of the acceptance programs, where these lie beside the repository: typical programs, one process a run.

Each prints its result, and on standard error `kernel BEST MEDIAN`, the CPU seconds of the kernel alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from suite.engines import HERE, PPY, Engine
from suite.model import Bar, Row
from suite.workers import TALKATIVE

FOLDER = HERE.parents[1] / "shared" / "acceptance" / "kernels"
SIZES = {
    "collatz": 300_000,
    "nbody": 100_000,
    "spectral_norm": 400,
    "mandelbrot": 400,
    "fannkuch": 9,
    "sieve": 5_000_000,
    "matmul": 240,
    "wordcount": 300_000,
    "binary_trees": 14,
    "dijkstra": 100_000,
    "jsonparse": 5_000,
    "levenshtein": 1_500,
    "queens": 11,
    "fib": 32,
    "bigint_mix": 50_000,
    "generators": 200_000,
    "fmt": 150_000,
    "life": 250,
    "quicksort": 300_000,
}


def acceptance(engines: list[Engine], workspace: Path, rounds: int) -> list[Row]:
    names = {engine.name for engine in engines}
    return [one_program(name, names, workspace, rounds) for name in SIZES if (FOLDER / f"{name}.ppy").exists()]


def commands(name: str, engines: set[str], workspace: Path) -> dict[str, list[str]]:
    found = {
        "CPython": [sys.executable, str(FOLDER / f"{name}.ppy")],
        "ppy": [str(PPY), "run", f"--cache-dir={workspace / 'cache'}", str(FOLDER / f"{name}.ppy")],
    }
    source = FOLDER / "c" / f"{name}.c"
    if "gcc -O3" in engines and source.exists():
        built = workspace / f"acceptance-{name}"
        subprocess.run(["gcc", "-O3", str(source), "-o", str(built), "-lm"], check=True)
        found["gcc -O3"] = [str(built)]
    ports = FOLDER / "others" / "numba_ports.py"
    if "Numba" in engines and f"\ndef {name}(" in ports.read_text():
        found["Numba"] = [sys.executable, str(ports), name]
    return found


def one_program(name: str, engines: set[str], workspace: Path, rounds: int) -> Row:
    turns = commands(name, engines, workspace)
    seconds: dict[str, list[float]] = {column: [] for column in turns}
    notes: dict[str, str] = {}
    reference = ""
    for turn in range(rounds + 1):
        for column, words in turns.items():
            if column in notes:
                continue
            environ = os.environ | TALKATIVE
            done = subprocess.run([*words, str(SIZES[name]), "1"], capture_output=True, text=True, env=environ)
            if done.returncode != 0:
                notes[column] = f"failed: {done.stderr.strip().splitlines()[-1:]}"
                continue
            if "runs from source" in done.stderr:
                notes[column] = "runs from source"
            reference = done.stdout if column == "CPython" else reference
            if column == "ppy" and done.stdout != reference:
                notes[column] = "another result"
            if turn > 0:
                line = next(line for line in done.stderr.splitlines() if line.startswith("kernel "))
                seconds[column].append(float(line.split()[1]))
    bar = Bar("not slower than CPython", "ppy", "CPython", most=1.0)
    return Row("acceptance", f"acceptance/{name}", name, "ms", seconds, notes, (bar,))
