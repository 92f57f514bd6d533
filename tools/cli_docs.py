"""Write `docs/cli.md` from the commands' declarations, or with `--check` say whether it is current.

    python tools/cli_docs.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write docs/cli.md from the commands' declarations.")
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when the page is outdated")
    options = parser.parse_args(argv)
    sys.path.insert(0, str(ROOT / "packages" / "ppy-core" / "src"))
    sys.path.insert(0, str(ROOT / "packages" / "ppy-runtime" / "src"))
    from ppy_compiler.cli.reference import page

    wanted = page()
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == wanted:
        return 0
    print(f"{'outdated' if options.check else 'wrote'}: docs/cli.md")
    if options.check:
        return 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
