"""Runs one program under several engines and compares what can be seen: output, errors with tracebacks, exit status.

``agree(engine, path, *args)`` fails with the first differences between CPython and an engine. Programs are those
beside this file and, where the checkout stands beside a folder ``shared/acceptance`` (or ``PPY_ACCEPTANCE`` names
one), those in it.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PPY = [sys.executable, "-m", "ppy_compiler", "run"]
ENGINES = {
    "cpython": [sys.executable],
    "interpreter": [*PPY, "--engine", "interpreter"],
    "optimized": [sys.executable, str(Path(__file__).with_name("optimized.py"))],
    "native": PPY,
}
TIMEOUT = 100
SHOWN = 20

Agree = Callable[..., None]


def execute(engine: str, path: Path, *args: str, folder: Path) -> tuple[int, str, str]:
    """Exit status, standard output, standard error; addresses of objects are masked."""
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [*ENGINES[engine], str(path), *args]
    done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL, env=env, cwd=folder)
    out, err = (re.sub("0x[0-9a-f]{6,}", "0x", text.decode("utf-8", "replace")) for text in (done.stdout, done.stderr))
    return done.returncode, out, err


@pytest.fixture
def agree(tmp_path: Path) -> Agree:
    def check(engine: str, path: Path, *args: str, errors: bool = True) -> None:
        wanted = execute("cpython", path, *args, folder=path.parent)
        got = execute(engine, path, *args, folder=path.parent)
        differences = [f"exit status {got[0]} instead of {wanted[0]}"] if got[0] != wanted[0] else []
        for name, left, right in [("stdout", wanted[1], got[1])] + [("stderr", wanted[2], got[2])] * errors:
            pair = left.splitlines(), right.splitlines()
            differences += list(difflib.unified_diff(*pair, "cpython", f"{engine} {name}", lineterm="", n=1))[:SHOWN]
        if differences:
            pytest.fail("\n".join([path.name, *differences]))

    return check
