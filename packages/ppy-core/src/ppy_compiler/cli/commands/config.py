"""`ppy config [PATH]`: every option, its value for a program there, and where that value came from."""

from __future__ import annotations

import argparse
import os

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import show, show_json
from ppy_compiler.driver.settings import KEYS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="PATH", nargs="?", default=".", help="a program or its folder")
    parser.add_argument("--json", action="store_true", help="for programs")
    add_options(parser, *(key.name for key in KEYS))


def execute(arguments: argparse.Namespace) -> int:
    from ppy_compiler.driver.session import Session

    path = os.path.abspath(arguments.file)
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    config = Session(folder, chosen_options(arguments)).config.for_file(path)
    rows = [(key, config.settings[key.name]) for key in KEYS]
    if arguments.json:
        show_json(
            {
                key.name: {"value": setting.value, "origin": setting.origin, "flag": key.flag, "env": key.environment}
                for key, setting in rows
            }
        )
        return 0
    width = max(len(key.name) for key, _ in rows)
    for key, setting in rows:
        show(f"{key.name:{width}}  {_shown(setting.value):16}  {setting.origin}\n")
        show(f"{'':{width}}  {key.help}: {key.flag}, {key.environment}\n")
    for name in config.enabled_plugins:
        show(f"plugin {name}: enabled\n")
    return 0


def _shown(value: object) -> str:
    if value is None:
        return "(not set)"
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) or "(none)" if isinstance(value, tuple) else str(value)
