"""Every example prints what lies beside it: under CPython, natively (built and from the cache), and as an artifact."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(path.parent.name for path in FOLDER.glob("*/expected.txt"))
ARGUMENTS = {"04_table": [str(FOLDER / "04_table" / "weather.csv"), "--sort", "mean"]}
PPY = [sys.executable, "-m", "ppy_compiler"]


def output(command: list[str], cache: Path) -> str:
    environ = {**os.environ, "PPY_CACHE_DIR": str(cache), "PPY_STRICT_INTERNAL": "1"}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "error[E3" not in done.stderr
    return done.stdout


def expected(name: str) -> str:
    return (FOLDER / name / "expected.txt").read_text(encoding="utf-8")


def words(name: str) -> list[str]:
    return [str(FOLDER / name / "main.py"), *ARGUMENTS.get(name, [])]


def test_every_folder_has_an_expected_output() -> None:
    assert sorted(path.parent.name for path in FOLDER.glob("*/main.py")) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_under_cpython(name: str, tmp_path: Path) -> None:
    assert output([sys.executable, *words(name)], tmp_path) == expected(name)


@pytest.mark.llvm
@pytest.mark.parametrize("name", EXAMPLES)
def test_natively(name: str, tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    assert output([*PPY, "run", *words(name)], tmp_path) == expected(name)
    assert output([*PPY, "run", *words(name)], tmp_path) == expected(name)


@pytest.mark.llvm
@pytest.mark.parametrize("name", EXAMPLES[:1])
def test_as_an_artifact(name: str, tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    output([*PPY, "build", words(name)[0], "-o", str(tmp_path / "built")], tmp_path / "cache")
    moved = (tmp_path / "built").rename(tmp_path / "moved")
    assert output([str(moved / "main"), *ARGUMENTS.get(name, [])], tmp_path) == expected(name)
