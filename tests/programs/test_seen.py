"""What a program sees of how it was started, and how it ends: as under `python FILE`, cold, warm and as an artifact.

Standard output, standard error and exit status are compared byte for byte, addresses of objects apart. The reference
interpreter is left out: its own frames show.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "seen").glob("*.py"))
pytestmark = [pytest.mark.llvm, pytest.mark.toolchain]


def outcome(cache: Path, *command: str | Path, **more: str) -> tuple[int, str, str]:
    environ = {**os.environ, **more, "PYTHONHASHSEED": "0", "PPY_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, cwd=cache.parent,
    )  # fmt: skip
    out, err = (re.sub(r"0x[0-9a-f]{6,}", "0x", text) for text in (done.stdout, done.stderr))
    return done.returncode, out, err


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_seen(path: Path, tmp_path: Path) -> None:
    cache, folder = tmp_path / "cache", tmp_path / "artifact"
    wanted = outcome(cache, path)
    assert outcome(cache, "-m", "ppy_compiler", "run", path) == wanted
    assert outcome(cache, "-m", "ppy_compiler", "run", path) == wanted
    built = outcome(cache, "-m", "ppy_compiler", "build", path, "-o", folder)
    assert built[0] == 0, built[2]
    wanted = outcome(cache, folder / "ppy-files" / "src" / path.name)
    assert outcome(cache, "-m", "ppy_runtime", folder) == wanted


WARNED = 'import helper\nprint("\\d", 1 is 1)\nassert (1, "always true")\n'


@pytest.mark.parametrize("filters", ["", "error", "error::SyntaxWarning", "ignore", "always", "default"])
def test_warnings_of_the_compiler(filters: str, tmp_path: Path) -> None:
    """A script's at every start, a module's where CPython has no compiled file of it."""
    folder, cache = tmp_path / "program", tmp_path / "cache"
    folder.mkdir()
    (folder / "main.py").write_text(WARNED)
    (folder / "helper.py").write_text('text = "\\q"\nprint(text is "a")\n')

    def start(*command: str, keep: str = "") -> tuple[int, str, str]:
        return outcome(cache, *command, folder / "main.py", PYTHONWARNINGS=filters, PYTHONDONTWRITEBYTECODE=keep)

    first = start(keep="1")
    for _ in range(2):
        assert start("-m", "ppy_compiler", "run", keep="1") == first
    assert start("-m", "ppy_compiler", "run") == first
    assert start("-m", "ppy_compiler", "run") == start()
