"""Calls of ppy-pjrt beside `jax.jit` and pypjrt, as ratios taken in one run.

    python benchmarks/pjrt/bench.py [--plugin PATH] [--pypjrt PYTHON] [--json FILE]

Needs jax, NumPy and a CPU plugin. Each line is one bar of the product: the two sides are timed in turns, in short
rounds, and medians are compared (quartiles in brackets), so a busy machine disturbs both alike. pypjrt is timed in a
Python of its own (`--pypjrt`), because it cannot be imported beside; it is used as its documentation shows and is
otherwise a black box. The compiled fast path is a run of its own (`PPY_PJRT_FAST=1`), started from here.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ARGUMENTS = (1, 2, 8, 32)


def program(arguments: int, size: int = 4) -> str:
    """StableHLO that adds its arguments up."""
    kind = f"tensor<{size}xf32>"
    names = ", ".join(f"%a{i}: {kind}" for i in range(arguments))
    lines = [f"%s0 = stablehlo.add %a0, %a0 : {kind}"]
    lines += [f"%s{i} = stablehlo.add %s{i - 1}, %a{i} : {kind}" for i in range(1, arguments)]
    body = "\n".join(lines)
    return f"module {{ func.func public @main({names}) -> {kind} {{ {body}\n return %s{arguments - 1} : {kind} }} }}"


@dataclass(frozen=True, slots=True)
class Times:
    """Microseconds per call over the rounds of one side: the quartiles."""

    lower: float
    median: float
    upper: float

    @classmethod
    def of(cls, rounds: list[float]) -> Times:
        return cls(*statistics.quantiles(rounds, n=4))


def in_turns(*sides: Callable[[], object], rounds: int = 60, calls: int = 100) -> list[Times]:
    """The times of each side, measured alternately."""
    found: list[list[float]] = [[] for _ in sides]
    for side in sides:
        for _ in range(200):
            side()
    for _ in range(rounds):
        for times, side in zip(found, sides, strict=True):
            start = time.perf_counter()
            for _ in range(calls):
                side()
            times.append((time.perf_counter() - start) / calls * 1e6)
    return [Times.of(times) for times in found]


_PYPJRT = """
import json, statistics, sys, time
import numpy as np, pypjrt
plugin, programs = sys.argv[1], json.loads(sys.argv[2])
out = {}
with pypjrt.Client.create(pypjrt.Plugin(plugin)) as client, client.devices() as devices:
    for count, text in programs.items():
        exe = client.compile(text)
        xs = [client.buffer_from_host(np.ones(4, np.float32), 11, [4], devices[0]) for _ in range(int(count))]
        def call():
            (out,) = exe(*xs)
            out.close()
        for _ in range(200): call()
        rounds = []
        for _ in range(40):
            start = time.perf_counter()
            for _ in range(100): call()
            rounds.append((time.perf_counter() - start) / 100 * 1e6)
        out[count] = statistics.median(rounds)
print(json.dumps(out))
"""


def pypjrt_times(python: str, plugin: str) -> dict[str, float]:
    """Microseconds of pypjrt by argument count."""
    programs = json.dumps({str(count): program(count) for count in ARGUMENTS})
    done = subprocess.run([python, "-c", _PYPJRT, plugin, programs], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(plugin: str) -> dict[str, dict[str, object]]:
    """Ours and jax, by name."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_platforms", "cpu")
    from ppy_pjrt import Client

    client = Client(plugin)
    found: dict[str, dict[str, object]] = {}
    for count in ARGUMENTS:
        executable = client.compile(program(count))
        xs = [client.put(np.ones(4, np.float32)) for _ in range(count)]

        def add(*args: object) -> object:
            total = args[0] + args[0]  # type: ignore[operator]
            for item in args[1:]:
                total = total + item
            return total

        jitted, js = jax.jit(add), [jnp.ones(4, jnp.float32) for _ in range(count)]
        ours, theirs = in_turns(lambda e=executable, a=xs: e(*a), lambda j=jitted, a=js: j(*a))
        found[f"call, {count} arguments"] = {"ours": asdict(ours), "jax": asdict(theirs)}
    x = np.ones(1000, np.float32)
    jitted = jax.jit(lambda a, b: a + a + b)
    for title, options in (("NumPy, in the call", {"asynchronous": False}), ("NumPy, asynchronous", None)):
        executable = Client(plugin, options=options).compile(program(2, 1000))
        ours, theirs = in_turns(lambda e=executable: np.asarray(e(x, x)[0]), lambda: np.asarray(jitted(x, x)))
        found[title] = {"ours": asdict(ours), "jax": asdict(theirs)}
    found["C calls for shape, dtype, device"] = {"count": _metadata_calls(client, x)}
    return found


def _metadata_calls(client: Any, x: object) -> int:
    buffer = client.put(x)
    calls = 0
    kind = type(client.api)
    original = kind.call_in

    def counted(*args: object, **fields: object) -> object:
        nonlocal calls
        calls += 1
        return original(*args, **fields)

    kind.call_in = counted
    assert buffer.shape and buffer.dtype and buffer.device
    kind.call_in = original
    return calls


def import_times() -> tuple[float, float]:
    """Milliseconds of `import ppy_pjrt` alone and with its client, best of seven fresh processes."""
    code = """import time
t = time.perf_counter(); import ppy_pjrt; one = time.perf_counter() - t
ppy_pjrt.Client; print(one * 1e3, (time.perf_counter() - t) * 1e3)"""
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(7)]
    return min(float(run[0]) for run in runs), min(float(run[1]) for run in runs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default="cpu")
    parser.add_argument("--pypjrt", help="a Python that has pypjrt")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    from ppy_pjrt import find_plugin

    plugin = str(find_plugin(given.plugin))
    if given.inner:
        print(json.dumps(measure(plugin)))
        return 0
    result: dict[str, Any] = {"plugin": plugin, "import ms": import_times()}
    for title, wish in (("pure Python", "0"), ("compiled fast path", "1")):
        command = [sys.executable, __file__, "--inner", "--plugin", plugin]
        environment = {**os.environ, "PPY_PJRT_FAST": wish}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        result[title] = json.loads(done.stdout.splitlines()[-1])
    if given.pypjrt:
        result["pypjrt"] = pypjrt_times(given.pypjrt, plugin)
    _print(result)
    if given.json:
        given.json.write_text(json.dumps(result, indent=1))
    return 0


def _print(result: dict[str, Any]) -> None:
    alone, client = result["import ms"]
    print(f"plugin {result['plugin']}\nimport ppy_pjrt {alone:.1f} ms, with its client {client:.1f} ms")
    peer = result.get("pypjrt", {})
    for title in ("pure Python", "compiled fast path"):
        print(f"\n{title:32} {'ours us':>20} {'jax us':>20} {'/ jax':>6} {'/ pypjrt':>9}")
        for name, row in result[title].items():
            if "count" in row:
                print(f"{name:32} {row['count']:20}")
                continue
            ours, theirs = Times(**row["ours"]), Times(**row["jax"])
            other = peer.get(name.split()[1]) if name.startswith("call") else None
            against = f"{ours.median / other:9.3f}" if other else ""
            print(f"{name:32} {_text(ours):>20} {_text(theirs):>20} {ours.median / theirs.median:6.2f} {against}")


def _text(times: Times) -> str:
    return f"{times.median:.1f} ({times.lower:.1f}-{times.upper:.1f})"


if __name__ == "__main__":
    raise SystemExit(main())
