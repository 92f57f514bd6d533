"""The workspace hangs together: distributions, extras, the README's commands, CI."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import dev
import pytest
import workspace

ROOT = Path(__file__).resolve().parents[2]


def project(folder: Path) -> dict[str, Any]:
    document = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))
    return {"build": document["build-system"], **document["project"]}


DISTRIBUTIONS = {project(folder)["name"]: project(folder) for folder in workspace.distributions()}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_each_distribution_is_described_alike(name: str) -> None:
    described = DISTRIBUTIONS[name]
    assert described["build"] == {"requires": ["hatchling"], "build-backend": "hatchling.build"}
    assert described["requires-python"] == ">=3.11,<3.14"
    assert described["license"] == "Apache-2.0"
    assert (ROOT / "packages" / name / described["readme"]).is_file()


def test_extras_pick_only_what_exists() -> None:
    described = DISTRIBUTIONS["ppy"]
    wanted = [*described["dependencies"], *(r for extra in described["optional-dependencies"].values() for r in extra)]
    names = {re.split(r"[\[<>= ]", requirement)[0] for requirement in wanted}
    assert names <= DISTRIBUTIONS.keys()
    assert names == DISTRIBUTIONS.keys()


def test_the_runtime_and_the_client_need_the_standard_library_only() -> None:
    assert DISTRIBUTIONS["ppy-runtime"]["dependencies"] == DISTRIBUTIONS["ppy-pjrt"]["dependencies"] == []


def test_ci_runs_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (.*)$", readme, re.MULTILINE)
    assert len(commands) == 2
    assert all(f"\n{command}\n" in ci for command in commands)
    assert all(readme[: readme.index(command)].count("\n") < 20 for command in commands)  # the first screen


def test_the_pythons_are_the_same_everywhere() -> None:
    named = (ROOT / ".python-version").read_text().split()
    assert tuple(version.rpartition(".")[0] for version in named) == workspace.PYTHONS
    assert dev.SUPPORTED == ((3, 11), (3, 14))


def test_all_distributions_are_installed_together() -> None:
    arguments = workspace.editable_arguments()
    assert arguments[::2] == ["-e"] * len(DISTRIBUTIONS)
    assert {Path(path).name for path in arguments[1::2]} == DISTRIBUTIONS.keys()
    assert workspace.editable_arguments("ppy-core") == ["-e", "./packages/ppy-core"]
    assert workspace.stamp("a") == workspace.stamp("a") != workspace.stamp("b")


def test_an_unknown_command_prints_the_help() -> None:
    done = subprocess.run([sys.executable, "tools/dev.py", "dance"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "tools/dev.py run FILE" in done.stderr
