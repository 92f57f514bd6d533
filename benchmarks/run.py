"""Compare PPY with CPython, gcc, Numba and mypyc, those that are installed, side by side in one run.

    python benchmarks/run.py                     everything: about ten minutes on an idle machine
    python benchmarks/run.py collatz warm        some rows; `--list` names them, and the families
    python benchmarks/run.py --json FILE         keep the numbers; benchmarks/page.py writes the page from them

Run it by a Python in which `ppy` is installed, with numba and mypy[mypyc] beside it where these are to be compared.
`--python` names further Pythons, also with `ppy`, for the cost of calls. What is missing is named,
and a program whose result differs from CPython's has that as its note.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from suite import acceptance, calls, commands, kernels, machine, patterns
from suite.engines import Engine, installed
from suite.model import Row
from suite.text import row_lines

LEAST_ROUNDS = 7


def families() -> dict[str, list[str]]:
    return {
        "kernels": [kernel.name for kernel in kernels.KERNELS],
        "overflow": list(kernels.OVERFLOW),
        "calls": ["calls"],
        "commands": [timed.name for timed in commands.TIMED],
        "patterns": ["patterns"],
        "acceptance": ["acceptance"],
    }


def chosen(names: list[str]) -> set[str]:
    known = families()
    everything = {row for rows in known.values() for row in rows}
    wanted = {row for name in names for row in known.get(name, [name])}
    if unknown := wanted - everything:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}; --list names them")
    return wanted or everything


def measure(wanted: set[str], options: argparse.Namespace) -> dict[str, object]:
    engines = installed()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        for row in [row for names in families().values() for row in names if row in wanted]:
            for found in one(row, engines, Path(name), options):
                rows.append(found)
                print("\n".join(row_lines(found.data())), flush=True)
    return {"rounds": options.rounds, "machine": machine.describe(engines), "rows": [row.data() for row in rows]}


def one(name: str, engines: list[Engine], workspace: Path, options: argparse.Namespace) -> list[Row]:
    """What is measured under one name: several rows where there are several Pythons or programs."""
    match name:
        case "calls":
            return calls.calls([sys.executable, *options.python], workspace, options.rounds)
        case "acceptance":
            return acceptance.acceptance(engines, workspace, options.rounds)
        case "patterns":
            return patterns.patterns(workspace, options.rounds)
    of_kernels = kernels.kernels(engines, workspace, options.rounds, {name})
    return of_kernels or kernels.overflows(engines, workspace, options.rounds, {name}) or commands.commands(
        workspace, options.rounds, {name}
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="ROW")
    parser.add_argument("--rounds", type=int, default=LEAST_ROUNDS, help="counted runs of each program (default 7)")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--python", action="append", default=[], metavar="PATH")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for family, rows in families().items():
            print(f"{family}: {' '.join(rows)}")
        return
    found = measure(chosen(options.names), options)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
