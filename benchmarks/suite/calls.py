"""What it costs to call a compiled function from Python code, on every Python that is named."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from suite.adapters.calls import FORMS
from suite.engines import ADAPTERS
from suite.model import Bar, Row


def calls(pythons: list[str], workspace: Path, rounds: int) -> list[Row]:
    return [one_python(python, workspace, rounds) for python in pythons]


def one_python(python: str, workspace: Path, rounds: int) -> Row:
    folder = workspace / f"calls-{Path(python).parent.parent.name}"
    folder.mkdir()
    done = subprocess.run(
        [python, str(ADAPTERS / "calls.py"), str(folder), str(rounds)],
        env={**os.environ, "PPY_CACHE_DIR": str(folder / "cache")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    bars = [Bar(f"{form}: at most 1.0 × Python", f"ppy, {form}", f"Python, {form}", most=1.0) for form in FORMS]
    what = f"`add(a, b)` called from Python {found['python']}"
    return Row("calls", f"calls on {found['python']}", what, "ns", found["seconds"], found["notes"], bars)
