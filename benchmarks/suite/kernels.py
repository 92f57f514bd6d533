"""Programs with a kernel, each compared on every engine that can express it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from suite.engines import Engine
from suite.model import Bar, Row
from suite.workers import take_turns

GCC, NUMBA, MYPYC, CPYTHON = "gcc -O3", "Numba", "mypyc", "CPython"
LARGEST = 2**63 - 1


def at_most(factor: float, engine: str) -> Bar:
    return Bar(f"at most {factor} × {engine}", "ppy", engine, most=factor)


@dataclass(frozen=True, slots=True)
class Kernel:
    """`peers` are the engines that run it beside CPython and ours."""

    name: str
    arguments: tuple[int, ...]
    what: str
    peers: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()


MASKED = (at_most(1.2, GCC),)
KERNELS = (
    Kernel("collatz", (300_000,), "Collatz chains", (GCC, NUMBA, MYPYC), (at_most(1.2, NUMBA), at_most(1.05, GCC))),
    Kernel("mandelbrot", (400,), "Mandelbrot set", (GCC, NUMBA, MYPYC), (at_most(1.2, NUMBA), at_most(1.05, GCC))),
    Kernel("mulmod", (1_000_000,), "`a * b % m`, m near 2**61", (GCC, MYPYC), (at_most(1.5, GCC),)),
    Kernel("miller_rabin", (2_000,), "Miller-Rabin, near 2**61", (GCC, MYPYC), (at_most(1.5, GCC),)),
    Kernel(
        "fib",
        (32,),
        "fib(32), called from Python",
        (GCC, NUMBA, MYPYC),
        (Bar("at least 20 × faster than CPython", CPYTHON, "ppy", least=20), at_most(1.2, MYPYC)),
    ),
    Kernel("lcg", (3_000_000,), "linear congruential generator, masked", (GCC, MYPYC), MASKED),
    Kernel("fnv", (3_000_000,), "FNV-1a, masked", (GCC, MYPYC), MASKED),
    Kernel("xorshift", (3_000_000,), "xorshift, masked", (GCC, MYPYC), MASKED),
    Kernel("mixer", (1_000_000,), "MurmurHash3's finaliser, masked", (GCC, MYPYC), MASKED),
    Kernel("float_sum", (20_000_000,), "a float sum under `@ppy.fastmath`", (GCC,), (at_most(1.2, GCC),)),
    Kernel("sums", (4_000,), "sums over nested ranges", (GCC, NUMBA, MYPYC), (at_most(1.05, GCC),)),
    Kernel("big_integers", (50_000,), "integers of 521 bits throughout", (MYPYC,), (at_most(1.0, CPYTHON),)),
)
# Where a loop leaves 64 bits: arguments of the programs overflow_*, the last start depends on the program's sum.
CASES = {
    "never": (5_000_000, 0, -1, LARGEST, 2**62),
    "early": (5_000_000, 5, 100, LARGEST, 2**62),
    "last": (5_000_000, 0, -1, 0, LARGEST),
}
OVERFLOW = {
    "overflow_loop": ("the loop itself", 17_500_000, ("early", "last")),
    "overflow_callee": ("in a callee", 17_500_000, ("early", "last")),
    "overflow_inner": ("in an inner loop", 22_500_000, ("early", "last")),
    "overflow_rows": ("in an inner loop of any length", 22_500_000, ("early", "last")),
}


def kernels(engines: list[Engine], workspace: Path, rounds: int, wanted: set[str]) -> list[Row]:
    return [one_kernel(kernel, engines, workspace, rounds) for kernel in KERNELS if kernel.name in wanted]


def one_kernel(kernel: Kernel, engines: list[Engine], workspace: Path, rounds: int) -> Row:
    commands = {}
    for engine in engines:
        if engine.name in kernel.peers or engine.name.startswith(("ppy", CPYTHON)):
            commands[engine.name] = [*engine.prepare(kernel.name, workspace), *map(str, kernel.arguments)]
    series = take_turns(commands, rounds)
    return Row(
        "kernels",
        kernel.name,
        kernel.what,
        "ms",
        {name: one.seconds for name, one in series.items()},
        {name: one.note for name, one in series.items()},
        kernel.bars,
    )


def overflows(engines: list[Engine], workspace: Path, rounds: int, wanted: set[str]) -> list[Row]:
    return [one_overflow(name, engines, workspace, rounds) for name in OVERFLOW if name in wanted]


def one_overflow(name: str, engines: list[Engine], workspace: Path, rounds: int) -> Row:
    """The same code and the same program, in one process for each case and engine."""
    what, total, cases = OVERFLOW[name]
    by_name = {engine.name: engine for engine in engines}
    columns: dict[str, list[float]] = {}
    notes: dict[str, str] = {}
    turns = {}
    for case in ("never", *cases):
        steps, x, at, by, limit = CASES[case]
        x = 2**63 - total + 10 if case == "last" else x
        arguments = [str(value) for value in (steps, x, at, by, limit)]
        for engine in (CPYTHON, "ppy"):
            turns[f"{engine}, {case}"] = [*by_name[engine].prepare(name, workspace), *arguments]
    for label, one in take_turns(turns, rounds, reference=lambda label: f"{CPYTHON}, {label.split(', ')[1]}").items():
        columns[label] = one.seconds
        notes[label] = one.note
    bars = [Bar(f"{case}: at most 1.5 × never", f"ppy, {case}", "ppy, never", most=1.5) for case in cases]
    return Row("overflow", name, f"5e6 steps that leave 64 bits {what}", "ms", columns, notes, bars)
