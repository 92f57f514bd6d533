"""Reading the file a command was given, and reporting one that is no Python."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ppy_compiler.cli.terminal import tell
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.diagnostics.codes.syntax import UNREADABLE_FILE

if TYPE_CHECKING:
    from ppy_compiler.support.source import Source


def read_source(path: str) -> Source:
    """The source at `path`; E0103 where it cannot be read, CPython's SyntaxError where it cannot be decoded."""
    from ppy_compiler.support.source import Source

    try:
        return Source.read(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiagnosticError(UNREADABLE_FILE.at(path, file=path, reason=reason)) from error


def report_syntax(error: SyntaxError | ValueError) -> int:
    """Print what CPython says of the file, as CPython does; the exit status of a program with errors."""
    import traceback

    if sys.stderr is not None:
        tell("".join(traceback.format_exception_only(error)).rstrip("\n"))
    return 1
