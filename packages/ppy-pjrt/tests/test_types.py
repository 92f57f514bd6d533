"""Snippets a type checker must reject, and one it must accept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.host
SNIPPETS = sorted(Path(__file__).with_name("cases").joinpath("types").glob("*.py"))


def test_snippets_are_rejected() -> None:
    pytest.importorskip("mypy")
    root = Path(__file__).parents[1] / "src"
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--no-error-summary",
        "--cache-dir=/dev/null",
    ]
    done = subprocess.run(
        [*command, *map(str, SNIPPETS)],
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(root), "PATH": "/usr/bin:/bin"},
    )
    rejected = {Path(line.split(":")[0]).name for line in done.stdout.splitlines() if ": error:" in line}
    assert rejected == {path.name for path in SNIPPETS} - {"fine.py"}, done.stdout + done.stderr
