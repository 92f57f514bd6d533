"""Write `docs/numpy/functions.md` from the model of the plugin for NumPy, or with `--check` say whether it is current.

    python tools/numpy_docs.py [--check]

The list of functions is that of the NumPy which is installed: of the newest, to be committed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "numpy" / "functions.md"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write docs/numpy/functions.md from the plugin's model.")
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when the page is outdated")
    options = parser.parse_args(argv)
    from ppy_plugins.numpy.support import page

    wanted = page()
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == wanted:
        return 0
    print(f"{'outdated' if options.check else 'wrote'}: docs/numpy/functions.md")
    if options.check:
        return 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
