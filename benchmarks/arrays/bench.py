"""PPY beside NumPy, numexpr, Numba and C on array expressions, those that are installed.

    python benchmarks/arrays/bench.py [ELEMENTS …] [--rounds N] [--json FILE]

Every engine runs in processes of its own, one after the other in each round; a figure is the median over the rounds of
the medians that a process found, and a ratio is PPY's time by the other's: below 1 PPY is faster. PPY's results have to
be NumPy's, bit for bit.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPETITIONS = {100: 2001, 10_000: 501, 1_000_000: 31, 10_000_000: 9}
Lines = dict[str, list[str]]


def engines(workspace: Path) -> dict[str, list[str]]:
    """The command of each engine that is there."""
    program, peers = str(HERE / "program.py"), str(HERE / "peers.py")
    found = {"PPY": [sys.executable, "-m", "ppy_compiler", "run", program], "NumPy": [sys.executable, program]}
    if importlib.util.find_spec("numexpr"):
        found["numexpr"] = [sys.executable, peers, "numexpr"]
    if importlib.util.find_spec("numba"):
        found["Numba"] = [sys.executable, peers, "numba"]
        found["Numba parallel"] = [sys.executable, peers, "parallel"]
    if shutil.which("gcc"):
        made, source = str(workspace / "loops"), str(HERE / "loops.c")
        subprocess.run(["gcc", "-O3", "-march=native", "-fopenmp", "-o", made, source, "-lm"], check=True)
        found["C (OpenMP)"] = [made]
    return found


def measure(command: list[str], elements: int) -> Lines:
    repetitions = REPETITIONS.get(elements, max(9, 20_000_000 // elements))
    done = subprocess.run([*command, str(elements), str(repetitions)], cwd=HERE, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command} ended with status {done.returncode}:\n{done.stderr}")
    return {name: rest for name, *rest in map(str.split, done.stdout.splitlines())}


def compare(elements: int, rounds: int, commands: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """Microseconds by expression and engine."""
    measured: dict[str, list[Lines]] = {engine: [] for engine in commands}
    for _ in range(rounds):
        for engine, command in commands.items():
            measured[engine].append(measure(command, elements))
    ours, numpys = measured["PPY"][0], measured["NumPy"][0]
    for name in numpys:
        if ours[name][1] != numpys[name][1]:
            sys.exit(f"{name}: PPY's result is not NumPy's")
    return {
        name: {engine: statistics.median(float(found[name][0]) for found in runs) for engine, runs in measured.items()}
        for name in numpys
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="PPY beside NumPy and others on array expressions.")
    parser.add_argument("elements", nargs="*", type=int, default=[100, 10_000, 1_000_000, 10_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    results: dict[int, dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        commands = engines(Path(folder))
        for elements in options.elements:
            results[elements] = compare(elements, options.rounds, commands)
            others = [engine for engine in commands if engine != "PPY"]
            print(f"\n{elements:,} elements{'':8}{'PPY us':>12}" + "".join(f"{engine:>16}" for engine in others))
            for name, times in results[elements].items():
                ratios = "".join(f"{times['PPY'] / times[engine]:>16.2f}" for engine in others)
                print(f"{name:24}{times['PPY']:>12.1f}{ratios}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
