"""Where this package keeps files of its own."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "PPY_PJRT_CACHE_DIR"


def default_folder() -> Path:
    """``PPY_PJRT_CACHE_DIR``, else the user's cache folder."""
    if value := os.environ.get(VARIABLE):
        return Path(value)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ppy-pjrt")
