"""`ppy explain CODE` prints a diagnostic's page; `ppy explain FILE` says what became of each function, and why."""

from __future__ import annotations

import argparse
import os

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import show, show_json, tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="CODE|FILE", help="a code (E1101), its name (argument-type), or a program")
    parser.add_argument("--json", action="store_true", help="the report on a program, for programs")
    add_options(parser, "unsafe", "opt-level", "backend", "source-roots", "cache-dir")


def execute(arguments: argparse.Namespace) -> int:
    if os.path.exists(arguments.file):
        return _explain_file(arguments)
    from ppy_compiler.diagnostics.codes import all_codes, find
    from ppy_compiler.diagnostics.pages import page
    from ppy_compiler.support.suggest import did_you_mean

    try:
        show(page(find(arguments.file)))
    except LookupError:
        known = [name for code in all_codes() for name in (code.code, code.slug)]
        tell(f"ppy explain: there is no file and no diagnostic {arguments.file!r}{did_you_mean(arguments.file, known)}")
        return 2
    return 0


def _explain_file(arguments: argparse.Namespace) -> int:
    from ppy_compiler.cli.files import read_source, report_syntax
    from ppy_compiler.driver.report import as_data, as_text, report
    from ppy_compiler.driver.session import Session

    session = Session(os.path.dirname(os.path.abspath(arguments.file)), chosen_options(arguments))
    try:
        modules = report(session, read_source(arguments.file))
    except (SyntaxError, ValueError) as error:
        return report_syntax(error)
    if arguments.json:
        show_json(as_data(modules))
    else:
        show(as_text(modules))
    return 0
