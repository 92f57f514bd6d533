"""The rule of `conftest.py`, tried on small sessions of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPING = """\
import pytest

@pytest.mark.{tier}
def test_it():
    pytest.skip("not here")

def test_other():
    pass
"""


def session(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text((ROOT / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["min_python(major, minor): x"]\naddopts = ["--strict-markers"]\n'
    )
    (folder / "test_case.py").write_text(text)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PPY_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_case.py"]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)


def test_a_skip_on_the_host_fails_the_session(tmp_path: Path) -> None:
    done = session(tmp_path, SKIPPING.format(tier="host"))
    assert done.returncode == 1
    assert "skipped in a required tier" in done.stdout
    assert "test_case.py::test_it" in done.stdout


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--require-tier", "gpu"], 1)])
def test_another_tier_may_skip_unless_required(tmp_path: Path, options: list[str], status: int) -> None:
    assert session(tmp_path, SKIPPING.format(tier="gpu"), *options).returncode == status


def test_a_module_that_leaves_itself_out_fails_the_session(tmp_path: Path) -> None:
    assert session(tmp_path, "import pytest\npytest.importorskip('no_such_module')\n").returncode != 0


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--require-tier", "acceptance"], 1)])
def test_programs_that_are_not_at_hand(tmp_path: Path, options: list[str], status: int) -> None:
    text = "import pytest\n@pytest.mark.parametrize('program', [])\ndef test_it(program): pass\n"
    assert session(tmp_path, text + "def test_other(): pass\n", *options).returncode == status


def test_what_does_not_exist_on_this_python_is_no_skip(tmp_path: Path) -> None:
    done = session(tmp_path, SKIPPING.format(tier="min_python(4, 0)"))
    assert done.returncode == 0
    assert "1 passed, 1 deselected" in done.stdout


def test_an_unknown_tier_is_refused(tmp_path: Path) -> None:
    done = session(tmp_path, SKIPPING.format(tier="host"), "--require-tier", "gpus")
    assert done.returncode == 4
    assert "unknown tiers ['gpus']" in done.stderr
