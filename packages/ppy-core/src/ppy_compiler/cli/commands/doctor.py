"""`ppy doctor`: what PPY finds on this machine, and what is refused and why."""

from __future__ import annotations

import argparse
import os

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import show, show_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="PATH", nargs="?", default=".", help="a program or its folder")
    parser.add_argument("--json", action="store_true", help="for programs")
    add_options(parser, "backend", "cache-dir")


def execute(arguments: argparse.Namespace) -> int:
    from ppy_compiler.driver.doctor import as_data, examine, usable
    from ppy_compiler.driver.session import Session

    path = os.path.abspath(arguments.file)
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    sections = examine(Session(folder, chosen_options(arguments)))
    if arguments.json:
        show_json(as_data(sections))
    else:
        for section, findings in sections.items():
            show(f"{section}\n")
            width = max(len(found.name) for found in findings)
            for found in findings:
                show(f"  {'ok ' if found.ok else '-- '} {found.name:{width}}  {found.text}\n")
    return 0 if usable(sections) else 2
