"""The tiny plugin of the core's tests and the library that it models, where `ppy` finds them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

TINY = Path(__file__).parents[2] / "packages" / "ppy-core" / "tests" / "third_party" / "tiny-plugin"
TIMEOUT = 120


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with programs that import `tinylib`; the library is a copy of its own."""

    folder: Path
    site: Path

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, *command: str, **variables: str) -> tuple[int, str, str]:
        """Exit status, standard output, standard error; addresses are masked."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("PPY_") or name == "PPY_VERIFY"
        }
        environ = {**kept, "PYTHONPATH": str(self.site), "PYTHONHASHSEED": "0", "PPY_STRICT_INTERNAL": "1"}
        environ |= {"PPY_CACHE_DIR": str(self.folder / "cache"), **variables}
        words = [sys.executable, *command]
        done = subprocess.run(words, cwd=self.folder, env=environ, capture_output=True, text=True, timeout=TIMEOUT)
        return done.returncode, done.stdout, re.sub(r"0x[0-9a-f]{6,}", "0x", done.stderr)

    def ppy(self, *words: str, **variables: str) -> tuple[int, str, str]:
        return self.run("-m", "ppy_compiler", *words, **variables)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project that enables the plugin."""
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    shutil.copytree(TINY / "src", site, ignore=shutil.ignore_patterns("__pycache__"))
    info = site / "tiny_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-plugin\nVersion: 1.0\n", encoding="utf-8")
    points = "[ppy.plugins]\ntiny = tiny_plugin.plugin:create_plugin\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    made = Project(work, site)
    made.write("pyproject.toml", "[tool.ppy.plugins.tiny]\nenabled = true\n")
    return made
