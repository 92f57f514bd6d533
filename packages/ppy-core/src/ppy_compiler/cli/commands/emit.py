"""`ppy emit --stage STAGE FILE`: what a stage of the compiler makes of a file."""

from __future__ import annotations

import argparse
import os

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import show, show_bytes, tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the module")
    parser.add_argument(
        "--stage", metavar="STAGE", default="py", help="ast, py, typed, native, or a format of the backend: llvm, asm"
    )
    add_options(parser, "unsafe", "opt-level", "host-cpu", "backend")


def execute(arguments: argparse.Namespace) -> int:
    from ppy_compiler.cli.files import read_source, report_syntax
    from ppy_compiler.driver.emitting import UnknownStage, emit
    from ppy_compiler.driver.session import Session

    session = Session(os.path.dirname(os.path.abspath(arguments.file)), chosen_options(arguments))
    try:
        text = emit(session, read_source(arguments.file), arguments.stage)
    except UnknownStage as unknown:
        tell(f"ppy emit: {unknown}")
        return 2
    except (SyntaxError, ValueError) as error:
        return report_syntax(error)
    if isinstance(text, bytes):
        show_bytes(text)
    else:
        show(text)
    return 0
