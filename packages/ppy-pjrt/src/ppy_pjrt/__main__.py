"""``python -m ppy_pjrt``."""

from __future__ import annotations

from .cli import main

raise SystemExit(main())
