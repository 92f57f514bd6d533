"""Finding the subcommand and reading its arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from ppy_compiler.cli.ending import guarded
from ppy_compiler.cli.terminal import show

COMMANDS = {
    "run": "run a program, natively where possible",
    "check": "report what is wrong in files, without running them",
    "build": "make an artifact that runs without the compiler",
    "emit": "print what a stage of the compiler makes of a file",
    "explain": "explain a diagnostic code, or what became of a file's functions",
    "doctor": "show what PPY finds on this machine",
    "init": "make a distribution to start a plugin or a backend from",
    "cache": "show or clear the cache",
    "config": "list every option, its value, and where that came from",
}


def dispatch(words: Sequence[str]) -> int:
    """Carry out the command line `words`."""
    parser = make_parser(words[0] if words and words[0] in COMMANDS else None)
    arguments = parser.parse_args(words)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return 2
    module = import_module(f"ppy_compiler.cli.commands.{arguments.command}")
    if arguments.command == "run":  # a program's exceptions are its own
        status: int = module.execute(arguments)
        return status
    path = str(getattr(arguments, "file", "") or "")
    return guarded(lambda: module.execute(arguments), arguments.command, path, vars(arguments))


def make_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole parser, or with `only` the one of that command, the others being names."""
    parser = argparse.ArgumentParser(prog="ppy", description="Compile and run ordinary Python.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the versions of PPY and Python")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if only in (None, name):
            import_module(f"ppy_compiler.cli.commands.{name}").add_arguments(command)
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ppy_compiler.support.extensions import installed_version

        version = installed_version("ppy-core") or "(not installed)"
        python = ".".join(map(str, sys.version_info[:3]))
        show(f"ppy {version} on {sys.implementation.name} {python}\n")
        parser.exit(0)
