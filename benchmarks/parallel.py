"""Loops on threads beside the same loops on one, and beside Numba's `prange`, in wall-clock time.

    python benchmarks/parallel.py [--rounds N] [--threads N]

Every engine runs in a process of its own, and all of them are asked in each round; a ratio is the median of the ratios
of the rounds. On a machine that others use, too, threads have less to gain: look at several runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PRIMES = """
{decorator_of_callee}
def is_prime(n: int) -> bool:
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return n > 1


{decorator}
def work(limit: int) -> int:
    found = 0
    for n in {range}(limit):
        if is_prime(n):
            found += 1
    return found
"""
MANDELBROT = """
{decorator_of_callee}
def turns(x: float, y: float) -> int:
    re = 0.0
    im = 0.0
    for k in range(200):
        a = re * re
        b = im * im
        if a + b > 4.0:
            return k
        im = 2.0 * re * im + y
        re = a - b + x
    return 200


{decorator}
def work(size: int) -> int:
    total = 0
    for row in {range}(size):
        for column in range(size):
            total += turns(3.0 * column / size - 2.0, 2.0 * row / size - 1.0)
    return total
"""
PROGRAMS = {"primes": (PRIMES, 400_000), "mandelbrot": (MANDELBROT, 500)}
SERVE = """
import sys
import time

for line in sys.stdin:
    start = time.perf_counter()
    result = work(int(line))
    print(time.perf_counter() - start, result, flush=True)
"""
ENGINES = {
    "ppy": ("import ppy", "", "", "range"),
    "ppy, @ppy.parallel": ("import ppy", "", "@ppy.parallel(require=True)", "range"),
    "numba": ("import numba", "@numba.njit", "@numba.njit", "range"),
    "numba, prange": ("import numba", "@numba.njit", "@numba.njit(parallel=True)", "numba.prange"),
}


class Worker:
    """One engine with one program."""

    def __init__(self, folder: Path, engine: str, text: str, threads: int) -> None:
        header, callee, decorator, name = ENGINES[engine]
        body = text.format(decorator_of_callee=callee, decorator=decorator, range=name)
        path = folder / f"{engine.partition(',')[0]}_{'threads' if ',' in engine else 'one'}.py"
        path.write_text(f"{header}\n{body}{SERVE}", encoding="utf-8")
        command = [sys.executable, str(path)]
        if engine.startswith("ppy"):
            command[1:1] = ["-m", "ppy_compiler", "run"]
        environ = {**os.environ, "PPY_NUM_THREADS": str(threads), "NUMBA_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(
            command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, size: int) -> tuple[float, str]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{size}\n")
        self.process.stdin.flush()
        seconds, result = self.process.stdout.readline().split()
        return float(seconds), result

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measure(program: str, engines: list[str], rounds: int, threads: int, folder: Path) -> None:
    text, size = PROGRAMS[program]
    workers = {engine: Worker(folder, engine, text, threads) for engine in engines}
    first = {worker.ask(size)[1] for worker in workers.values()}
    if len(first) != 1:
        raise SystemExit(f"{program}: the engines disagree: {first}")
    times: dict[str, list[float]] = {engine: [] for engine in engines}
    for _ in range(rounds):
        for engine, worker in workers.items():
            times[engine].append(worker.ask(size)[0])
    for worker in workers.values():
        worker.close()
    base = times["ppy"]
    for engine in engines:
        ratio = statistics.median(one / other for one, other in zip(times[engine], base, strict=True))
        best, middle = min(times[engine]) * 1e3, statistics.median(times[engine]) * 1e3
        print(f"{program:12} {engine:20} {middle:8.1f} ms median {best:8.1f} ms least {ratio:6.2f} x ppy on one thread")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    try:
        import numba  # noqa: F401
    except ImportError:
        engines = [engine for engine in ENGINES if not engine.startswith("numba")]
    else:
        engines = list(ENGINES)
    folder = Path(tempfile.mkdtemp(prefix="ppy-parallel-"))
    try:
        for program in PROGRAMS:
            measure(program, engines, options.rounds, options.threads, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
