"""What tests import besides fixtures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ppy_pjrt.discovery import candidates
from ppy_pjrt.plugin import Plugin


@cache
def cpu_plugins() -> tuple[Path, ...]:
    """The CPU plugins installed here, oldest API first."""
    found = [item.path for item in candidates("cpu")]
    return tuple(sorted(found, key=lambda path: Plugin(path).api.minor))
