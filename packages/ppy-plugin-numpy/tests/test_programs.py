"""Whole programs on arrays: CPython and native code agree in output, warnings, errors; guards or no guards."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import element_loops
import expressions
import pytest

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def execute(folder: Path, *words: str, **variables: str) -> tuple[int, str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PPY_")}
    environ = {**kept, "PYTHONHASHSEED": "0", "PPY_STRICT_INTERNAL": "1", "PPY_VERIFY": "1", **variables}
    environ["PPY_CACHE_DIR"] = str(folder / "cache")
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environ, capture_output=True, text=True, timeout=300
    )
    return done.returncode, done.stdout, re.sub(r"0x[0-9a-f]{6,}", "0x", done.stderr)


def project(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text("[tool.ppy.plugins.numpy]\nenabled = true\n", encoding="utf-8")
    (folder / "main.py").write_text(text, encoding="utf-8")


@pytest.mark.llvm
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_native(program: Path, tmp_path: Path) -> None:
    project(tmp_path, program.read_text(encoding="utf-8"))
    wanted = execute(tmp_path, "main.py")
    assert wanted[0] == 0, wanted[2]
    for _ in ("cold", "warm"):
        assert execute(tmp_path, "-m", "ppy_compiler", "run", "main.py") == wanted
    for seed in ("1", "2"):
        found = execute(tmp_path, "-m", "ppy_compiler", "run", "main.py", PPY_FAIL_GUARDS=seed)
        assert found == wanted


@pytest.mark.llvm
def test_expressions_are_kernels(tmp_path: Path) -> None:
    """One kernel for a tree of operations, and none of their own calls on the way that succeeds."""
    project(tmp_path, (Path(__file__).parent / "programs" / "fused.py").read_text(encoding="utf-8"))
    text = execute(tmp_path, "-m", "ppy_compiler", "emit", "--stage", "native", "main.py")[1]
    for name, count in {"chain": 1, "named": 1, "totals": 6, "transcendental": 3}.items():
        assert len(re.findall(rf"sym='kernel\.{name}\.\d+'", text)) == count, name


@pytest.mark.llvm
def test_explain_knows_the_programs_own_module(tmp_path: Path) -> None:
    """No kernel is named for a program that has a module of its own with the library's name."""
    text = "import numpy as np\nfrom numpy.typing import NDArray\n\n\n"
    text += "def f(a: NDArray[np.float64]):\n    return a * 2.0 + a\n"
    project(tmp_path, text)
    assert "one kernel" in execute(tmp_path, "-P", "-m", "ppy_compiler", "explain", "main.py")[1]
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").touch()
    status, found, _ = execute(tmp_path, "-P", "-m", "ppy_compiler", "explain", "main.py")
    assert status == 0
    assert "guarded  f\n" in found
    assert "one kernel" not in found


SEEDS = [int(seed) for seed in os.environ.get("PPY_EXPRESSION_SEEDS", "1 2").split()]


def agrees(folder: Path, text: str, **variables: str) -> None:
    """CPython and native code print the same, line by line."""
    project(folder, text)
    wanted = execute(folder, "main.py")
    found = execute(folder, "-m", "ppy_compiler", "run", "main.py", **variables)
    lines = itertools.zip_longest(wanted[1].splitlines(), found[1].splitlines())
    different = [pair for pair in lines if pair[0] != pair[1]]
    assert not different, different[:10]
    assert found == wanted


@pytest.mark.llvm
@pytest.mark.parametrize("seed", SEEDS)
def test_random_expressions(seed: int, tmp_path: Path) -> None:
    """Each program calls 25 random functions with fifty sets of arrays; many more: `nox -s expressions`."""
    agrees(tmp_path, expressions.Generator(seed).program(25))


@pytest.mark.llvm
@pytest.mark.parametrize("seed", SEEDS)
def test_random_loops(seed: int, tmp_path: Path) -> None:
    """Each program calls ten random functions with ten sets of arrays; many more: `nox -s expressions`."""
    text = element_loops.Generator(seed).program(10)
    agrees(tmp_path, text)
    agrees(tmp_path, text, PPY_FAIL_GUARDS=str(seed))
