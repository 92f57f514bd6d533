"""Every example runs, and every one is listed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples/pjrt").glob("[0-9]*.py"))


@pytest.mark.host
def test_there_are_twelve_and_the_page_lists_them() -> None:
    page = (ROOT / "docs/pjrt/tutorial.md").read_text()
    assert len(EXAMPLES) == 12
    assert not [path.name for path in EXAMPLES if path.name not in page]


@pytest.mark.cpu
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, newest: Path) -> None:
    arguments = [] if path.stem.startswith(("10", "11")) else [str(newest)]
    done = subprocess.run([sys.executable, str(path), *arguments], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout
