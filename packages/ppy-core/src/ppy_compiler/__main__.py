"""`python -m ppy_compiler`: the `ppy` command of this very interpreter."""

from __future__ import annotations

import os
import sys

if not sys.flags.safe_path:
    # `-m` puts the current folder first, where a `json.py` would be taken for the library's.
    sys.path[0] = os.path.dirname(sys.executable)

from ppy_compiler.cli.main import main

sys.exit(main())
