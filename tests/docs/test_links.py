"""What the documentation points to exists: links between pages, and the paths that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("packages/*/README.md")])
PLANNED = {"seed-map.md"}  # names what later work brings
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)")
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_PATH = re.compile(r"`((?:packages|docs|tools|tests|examples|benchmarks)/[\w./-]+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_paths(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [page.parent / target for target in _LINK.findall(_CODE.sub("", text))]
    paths = _PATH.findall(text) if page.name not in PLANNED else []
    bases = [ROOT, *ROOT.glob("packages/*")]  # a page may speak of the tests of one distribution
    assert [str(target) for target in links if not target.exists()] == []
    assert [target for target in paths if not any((base / target).exists() for base in bases)] == []
