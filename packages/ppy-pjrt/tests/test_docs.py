"""The code blocks of the pages run (those marked ``py``: they need a plugin)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[3] / "docs/pjrt").glob("*.md"))


@pytest.mark.cpu
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_run_in_order(page: Path, newest: Path) -> None:
    blocks = re.findall(r"```py\n(.*?)```", page.read_text(), re.DOTALL)
    code = "\n".join(blocks).replace('Client("cpu")', f"Client({str(newest)!r})")
    done = subprocess.run([sys.executable, "-c", code or "pass"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.host
def test_every_public_name_is_on_the_page() -> None:
    import ppy_pjrt

    text = "\n".join(page.read_text() for page in PAGES)
    missing = [name for name in ppy_pjrt.__all__ if not re.search(rf"\b{name}\b", text)]
    assert not missing
