"""`python -m ppy_compiler`: the `ppy` command of this very interpreter."""

from __future__ import annotations

import sys

from ppy_compiler.cli.main import main

sys.exit(main())
