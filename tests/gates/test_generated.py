"""Generated files are what their generator writes today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATORS = ["tools/cli_docs.py", "tools/diagnostics_docs.py"]


@pytest.mark.parametrize("generator", GENERATORS)
def test_current(generator: str) -> None:
    done = subprocess.run([sys.executable, generator, "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}run python {generator}"
