"""`ppy check FILE|FOLDER …`: what is certainly wrong, found without running anything."""

from __future__ import annotations

import argparse

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import show, tell

FORMATS = ("full", "concise", "json", "sarif", "github")
NO_FILES = "no errors, for there is no .py or .ppy file to look at"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", default=["."], help="files, or folders to look through")
    parser.add_argument("--output-format", choices=FORMATS, default="full", help="how to print what is found")
    parser.add_argument("--json", action="store_const", dest="output_format", const="json", help="the same as json")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours in `full`")
    add_options(parser, "strict", "remarks", "source-roots", "cache-dir")


def execute(arguments: argparse.Namespace) -> int:
    import sys

    from ppy_compiler.diagnostics.code import Severity
    from ppy_compiler.diagnostics.render import render
    from ppy_compiler.diagnostics.render.style import style_for
    from ppy_compiler.driver.check import check_paths

    sink = check_paths(arguments.paths, chosen_options(arguments))
    style = style_for(sys.stdout, arguments.color)
    found = sink.diagnostics
    show(render(arguments.output_format, found, sink.sources, style))
    if arguments.output_format == "full":
        tell(_summary(len(sink.of(Severity.ERROR)), len(found)) if found or len(sink.sources) else NO_FILES)
    return sink.exit_status


def _summary(errors: int, findings: int) -> str:
    if not findings:
        return "no errors"
    others = findings - errors
    text = f"{errors} error{'' if errors == 1 else 's'}"
    return f"{text}, {others} other finding{'' if others == 1 else 's'}" if others else text
