"""Write `docs/diagnostics` from the declarations, or with `--check` say whether it is current.

    python tools/diagnostics_docs.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "diagnostics"


def differences(folder: Path, wanted: dict[str, str]) -> list[str]:
    """The files that are missing, outdated or no longer wanted."""
    present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))


def update(folder: Path, wanted: dict[str, str]) -> list[str]:
    """Make the folder hold exactly `wanted`; answers what changed."""
    changed = differences(folder, wanted)
    folder.mkdir(parents=True, exist_ok=True)
    for name in changed:
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8")
        else:
            (folder / name).unlink()
    return changed


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write docs/diagnostics from the declared codes.")
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when something is outdated")
    options = parser.parse_args(argv)
    sys.path.insert(0, str(ROOT / "packages" / "ppy-core" / "src"))
    from ppy_compiler.diagnostics.pages import documents

    action = differences if options.check else update
    changed = action(FOLDER, documents())
    for name in changed:
        print(f"{'outdated' if options.check else 'wrote'}: docs/diagnostics/{name}")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
