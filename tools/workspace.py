"""What the workspace consists of: shared by `tools/dev.py` and `noxfile.py`.

All local distributions are installed together, by path and in one command: another project owns the name `ppy` on the
public index, so no local dependency may ever be looked up there.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")


def distributions() -> list[Path]:
    """The folders of the distributions, relative to the root; templates (`_name`) are for copying."""
    return [
        path.parent.relative_to(ROOT)
        for path in sorted(ROOT.glob("packages/*/pyproject.toml"))
        if not path.parent.name.startswith("_")
    ]


def dependency_group(name: str) -> list[str]:
    """The requirements of a group of the root pyproject (pip knows groups only since version 25)."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    group: list[str] = document["dependency-groups"][name]
    return group


def editable_arguments(*only: str) -> list[str]:
    """The arguments that install every distribution (or the named ones) in place."""
    chosen = [path for path in distributions() if not only or path.name in only]
    return [argument for path in chosen for argument in ("-e", f"./{path.as_posix()}")]


def stamp(*arguments: str) -> str:
    """Changes when an environment made with these arguments has to be made anew."""
    digest = hashlib.sha256(repr((sys.version, arguments)).encode())
    for path in distributions():
        digest.update((ROOT / path / "pyproject.toml").read_bytes())
    return digest.hexdigest()
