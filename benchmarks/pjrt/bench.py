"""Calls of ppy-pjrt beside `jax.jit` and pypjrt, as ratios taken in one run.

    python benchmarks/pjrt/bench.py [--plugin PATH] [--pypjrt PYTHON] [--json FILE]

Needs jax, NumPy and a CPU plugin. Each line is one bar of the product: the two sides are timed in turns, in short
rounds, and the best of each is compared, so a busy machine disturbs both alike. pypjrt is timed in its own Python
(`--pypjrt`), because it cannot be imported beside; it is used as its documentation shows and otherwise a black box.
The compiled fast path is a separate run of this script (`PPY_PJRT_FAST=1`), started here for its own lines.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ARGUMENTS = (1, 2, 8, 32)


def program(arguments: int, size: int = 4) -> str:
    """StableHLO that adds its arguments up."""
    kind = f"tensor<{size}xf32>"
    names = ", ".join(f"%a{i}: {kind}" for i in range(arguments))
    lines = [f"%s0 = stablehlo.add %a0, %a0 : {kind}"]
    lines += [f"%s{i} = stablehlo.add %s{i - 1}, %a{i} : {kind}" for i in range(1, arguments)]
    body = "\n".join(lines)
    return f"module {{ func.func public @main({names}) -> {kind} {{ {body}\n return %s{arguments - 1} : {kind} }} }}"


def in_turns(*sides: Callable[[], object], rounds: int = 40, calls: int = 200) -> list[float]:
    """The best microseconds per call of each side, measured alternately."""
    best = [float("inf")] * len(sides)
    for side in sides:
        for _ in range(calls):
            side()
    for _ in range(rounds):
        for index, side in enumerate(sides):
            start = time.perf_counter()
            for _ in range(calls):
                side()
            best[index] = min(best[index], (time.perf_counter() - start) / calls * 1e6)
    return best


_PYPJRT = """
import json, sys, time
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
        best = 1e9
        for _ in range(30):
            start = time.perf_counter()
            for _ in range(100): call()
            best = min(best, (time.perf_counter() - start) / 100 * 1e6)
        out[count] = best
print(json.dumps(out))
"""


def pypjrt_times(python: str, plugin: str) -> dict[str, float]:
    """Microseconds of pypjrt by argument count."""
    programs = json.dumps({str(count): program(count) for count in ARGUMENTS})
    done = subprocess.run([python, "-c", _PYPJRT, plugin, programs], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(plugin: str, synchronous: bool) -> dict[str, dict[str, float]]:
    """Ours and jax, by name."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_platforms", "cpu")
    from ppy_pjrt import Client

    client = Client(plugin, options={"asynchronous": False} if synchronous else None)
    found: dict[str, dict[str, float]] = {}
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
        found[f"call, {count} arguments"] = {"ours": ours, "jax": theirs}
    executable, x = client.compile(program(2, 1000)), np.ones(1000, np.float32)
    jitted = jax.jit(lambda a, b: a + a + b)
    ours, theirs = in_turns(lambda: np.asarray(executable(x, x)[0]), lambda: np.asarray(jitted(x, x)))
    found["NumPy to NumPy, 1,000 floats"] = {"ours": ours, "jax": theirs}
    buffer = client.put(x)
    calls = 0
    original = type(client.api).call_in

    def counted(*args: object, **fields: object) -> object:
        nonlocal calls
        calls += 1
        return original(*args, **fields)  # type: ignore[arg-type]

    type(client.api).call_in = counted  # type: ignore[method-assign, assignment]
    assert buffer.shape and buffer.dtype and buffer.device
    type(client.api).call_in = original  # type: ignore[method-assign]
    found["C calls for shape, dtype, device"] = {"count": calls}
    return found


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
    parser.add_argument(
        "--synchronous", action="store_true", help="create our client with asynchronous=False (plugins from 0.107)"
    )
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    from ppy_pjrt import find_plugin

    plugin = str(find_plugin(given.plugin))
    if given.inner:
        print(json.dumps(measure(plugin, given.synchronous)))
        return 0
    result: dict[str, object] = {"plugin": plugin, "import ms": import_times()}
    for title, wish in (("pure Python", "0"), ("compiled fast path", "1")):
        command = [
            sys.executable,
            __file__,
            "--inner",
            "--plugin",
            plugin,
            *(["--synchronous"] if given.synchronous else []),
        ]
        environment = {**os.environ, "PPY_PJRT_FAST": wish}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        result[title] = json.loads(done.stdout.splitlines()[-1])
    if given.pypjrt:
        result["pypjrt"] = pypjrt_times(given.pypjrt, plugin)
    _print(result)
    if given.json:
        given.json.write_text(json.dumps(result, indent=1))
    return 0


def _print(result: dict[str, object]) -> None:
    alone, client = result["import ms"]  # type: ignore[misc]
    print(f"plugin {result['plugin']}\nimport ppy_pjrt {alone:.1f} ms, with its client {client:.1f} ms")
    peer = result.get("pypjrt", {})
    assert isinstance(peer, dict)
    for title in ("pure Python", "compiled fast path"):
        print(f"\n{title:34} {'ours us':>9} {'jax us':>9} {'/ jax':>7} {'/ pypjrt':>9}")
        rows = result[title]
        assert isinstance(rows, dict)
        for name, times in rows.items():
            if "count" in times:
                print(f"{name:34} {times['count']:9}")
                continue
            other = peer.get(name.split()[1]) if name.startswith("call") else None
            against = f"{times['ours'] / other:9.3f}" if other else " " * 9
            print(f"{name:34} {times['ours']:9.2f} {times['jax']:9.2f} {times['ours'] / times['jax']:7.2f} {against}")


if __name__ == "__main__":
    raise SystemExit(main())
