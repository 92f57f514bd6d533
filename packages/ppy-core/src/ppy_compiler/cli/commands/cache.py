"""`ppy cache info|clear`: what the cache directories hold, and emptying them."""

from __future__ import annotations

import argparse
import os

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import show, show_json, tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("info", "clear"), help="show what is there, or remove it")
    parser.add_argument("file", metavar="PATH", nargs="?", default=".", help="a program or its folder")
    parser.add_argument("--json", action="store_true", help="for programs")
    add_options(parser, "cache-dir")


def execute(arguments: argparse.Namespace) -> int:
    from ppy_compiler.driver.session import Session

    path = os.path.abspath(arguments.file)
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    cache = Session(folder, chosen_options(arguments)).cache
    if arguments.action == "clear":
        removed = cache.clear()
        if arguments.json:
            show_json({"removed": removed})
        else:
            tell(f"removed {removed} file{'' if removed == 1 else 's'}")
        return 0
    used = {root: (files, size) for root, files, size in cache.usage()}
    rows = [(root, *used.get(root, (0, 0))) for root in cache.roots]
    if arguments.json:
        show_json([{"directory": root, "files": files, "bytes": size} for root, files, size in rows])
        return 0
    for root, files, size in rows:
        show(f"{root}: {files} files, {size / 1024:.0f} KiB\n" if root in used else f"{root}: not used yet\n")
    return 0
