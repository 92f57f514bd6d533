"""Fixtures for tests that run the `ppy` command, and for extensions that are discovered but not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

collect_ignore = ["third_party"]  # they are others' projects: `plugins/test_wheels.py` builds, installs and tests them
THIRD_PARTY = Path(__file__).parent / "third_party"
TIMEOUT = 60


@dataclass(frozen=True, slots=True)
class Result:
    status: int
    out: str
    err: str


@dataclass(slots=True)
class Commands:
    """Runs `ppy` and `python` in one folder, with a cache and temporary folder of their own."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *words: str, stdin: str | bytes = b"", **environment: str) -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={**self.environment, **environment},
            input=data,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def python(self, *words: str, **options: str) -> Result:
        return self.run(*words, **options)

    def __call__(self, *words: str, **options: str) -> Result:
        return self.run("-m", "ppy_compiler", *words, **options)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "ppy_compiler", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


@pytest.fixture
def ppy(tmp_path: Path) -> Commands:
    """The command without any configuration, in an empty folder. Faults are failures."""
    (tmp_path / "work").mkdir()
    (tmp_path / "temporary").mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PPY_") or name == "PPY_VERIFY"}
    environment = {
        **kept,
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TMPDIR": str(tmp_path / "temporary"),
        "PYTHONHASHSEED": "0",
        "PPY_STRICT_INTERNAL": "1",
    }
    return Commands(tmp_path / "work", environment)


def discoverable(name: str, site: Path) -> list[str]:
    """Make a distribution of `third_party` discoverable through metadata in `site`; the folders for PYTHONPATH."""
    project = tomllib.loads((THIRD_PARTY / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"{name.replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {project['version']}"]
    for extra, requirements in project.get("optional-dependencies", {}).items():
        metadata += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {r}; extra == "{extra}"' for r in requirements)]
    (info / "METADATA").write_text("\n".join(metadata) + "\n", encoding="utf-8")
    groups: Mapping[str, Mapping[str, str]] = project["entry-points"]
    lines = [
        line for group, points in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(site), str(THIRD_PARTY / name / "src")]


@pytest.fixture
def with_extension(ppy: Commands, tmp_path: Path) -> Callable[[str], Commands]:
    """Adds a distribution of `third_party` to what the command discovers."""

    def add(name: str) -> Commands:
        folders = discoverable(name, tmp_path / "site" / name)
        before = ppy.environment.get("PYTHONPATH", "")
        ppy.environment["PYTHONPATH"] = os.pathsep.join([*folders, *filter(None, [before])])
        return ppy

    return add


@pytest.fixture
def tiny(with_extension: Callable[[str], Commands], tmp_path: Path) -> Commands:
    """The command with the tiny backend chosen, which logs what it runs to `log`."""
    commands = with_extension("tiny-backend")
    commands.environment["PPY_BACKEND"] = "tiny"
    commands.environment["TINY_LOG"] = str(tmp_path / "log")
    return commands
