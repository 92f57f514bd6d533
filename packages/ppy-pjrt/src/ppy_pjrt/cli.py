"""The command ``ppy-pjrt``: ``doctor``, ``conform`` and ``build-fast``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; 0 is good, 1 a finding, 2 a wrong use."""
    parser = argparse.ArgumentParser(prog="ppy-pjrt", description="PJRT plugins: what is there, and what each can do.")
    commands = parser.add_subparsers(dest="command", required=True)
    doctor = commands.add_parser("doctor", help="list plugins, versions, and why one is passed over")
    doctor.add_argument("--json", action="store_true")
    commands.add_parser("build-fast", help="build the compiled fast path for this Python (needs a C compiler)")
    conform = commands.add_parser(
        "conform", help="check a plugin, each check in a process of its own",
        epilog="Exit status: 0 nothing is broken (absent is not broken); 1 a check failed or crashed; 2 wrong use.",
    )  # fmt: skip
    conform.add_argument("plugin", nargs="?", help="a path or a platform name")
    conform.add_argument("--json", action="store_true", help="print the report as JSON")
    conform.add_argument("--only", default="", help="only checks whose name has this in it")
    conform.add_argument("--diff", nargs=2, type=Path, metavar=("A", "B"), help="compare two JSON reports")
    conform.add_argument("--timeout", type=float, default=120.0, help="seconds per check")
    conform.add_argument("-v", "--verbose", action="store_true", help="also list what passed")
    given = parser.parse_args(arguments)
    if given.command == "doctor":
        from .doctor import report

        print(report(given.json))
        return 0
    if given.command == "build-fast":
        from .errors import PjrtError
        from .fastpath import build

        try:
            print(build())
        except PjrtError as error:
            print(error)
            return 1
        return 0
    from .conform.runner import command

    return command(given, parser)
