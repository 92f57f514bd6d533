"""``python -m ppy_pjrt``."""

from .cli import main

raise SystemExit(main())
