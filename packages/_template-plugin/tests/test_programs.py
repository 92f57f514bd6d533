"""Programs that use the library: what they print under `ppy run` is what they print under Python, guards or no guards.

The plugin has to be installed (`pip install -e .`), for PPY finds it through its metadata.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))


def run(folder: Path, *command: str, **variables: str) -> str:
    environ = {**os.environ, "PYTHONPATH": str(HERE / "library"), "PPY_CACHE_DIR": str(folder / "cache"), **variables}
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ppy.plugins.foolib]\nenabled = true\n")
    (tmp_path / "main.py").write_text(program.read_text())
    wanted = run(tmp_path, "main.py")
    ppy = ("-m", "ppy_compiler", "run", "main.py")
    assert run(tmp_path, *ppy) == wanted
    assert run(tmp_path, *ppy, PPY_FAIL_GUARDS="1") == wanted
