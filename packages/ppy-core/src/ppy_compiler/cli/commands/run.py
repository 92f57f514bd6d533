"""`ppy run FILE [ARGUMENT …]`: run a program, compiling it first where the cache has nothing for it.

The program's streams, arguments, exit status and traceback are its own. What CPython would refuse to start is handed to
CPython, so that a syntax error or a folder without `__main__` reads as it always does; so is what is no plain file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from ppy_runtime.manifest.document import MANIFEST_NAME

from ppy_compiler.cli.main import BUILT_VARIABLE
from ppy_compiler.cli.runline import RunLine, ticket_options
from ppy_compiler.cli.terminal import fail, note

if TYPE_CHECKING:
    import argparse

    from ppy_runtime.manifest.document import Manifest

OPTIONS = (
    "engine", "unsafe", "opt-level", "strict", "host-cpu", "backend", "source-roots", "cache-dir", "remarks",
)  # fmt: skip
Step = Callable[[], int]
"""What to do once everything of ours is done: run the program. Its exceptions are the program's."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from argparse import REMAINDER

    from ppy_compiler.cli.options import add_options

    parser.usage = "ppy run [OPTION …] FILE [ARGUMENT …]"
    parser.add_argument("file", metavar="FILE", help="the program; `-` reads it from standard input, as python does")
    parser.add_argument("arguments", metavar="ARGUMENT", nargs=REMAINDER, help="what the program gets")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="say where native code could not be used")
    add_options(parser, *OPTIONS)


def execute(arguments: argparse.Namespace) -> int:
    """The road of a command line that `runline` did not read: argparse has read it, or has said what is wrong."""
    from ppy_compiler.cli.options import chosen_options

    line = RunLine(arguments.file, arguments.arguments, chosen_options(arguments), arguments.verbose)
    return run_cold(line, may_replace=False)


def run_cold(line: RunLine, *, may_replace: bool) -> int:
    """Build and run. With `may_replace` this process is replaced by a warm start of the same command once the program
    is in the cache, so that nothing of the compiler is left in the program's process."""
    from ppy_compiler.cli.ending import guarded

    steps: list[Step] = []

    def prepare() -> int:
        steps.append(_prepare(line, may_replace))
        return 0

    status = guarded(prepare, "run", line.file, line.options)
    return steps[0]() if steps else status


def _prepare(line: RunLine, may_replace: bool) -> Step:
    from ppy_compiler.cli.files import read_source
    from ppy_compiler.cli.interpreted import run_as_main
    from ppy_compiler.driver.execution import prepare
    from ppy_compiler.driver.interpreting import interpreted
    from ppy_compiler.driver.session import Session

    if os.path.isfile(os.path.join(line.file, MANIFEST_NAME)):
        return _artifact(line)
    if line.file in ("", "-") or (os.path.exists(line.file) and not os.path.isfile(line.file)):
        return lambda: _under_cpython(line)  # standard input, a folder, a pipe
    session = Session(os.path.dirname(os.path.abspath(line.file)), line.options)
    if session.config["engine"] == "python":
        return lambda: _under_cpython(line)
    try:
        source = read_source(line.file)
        if session.config["engine"] == "interpreter":
            body = interpreted(source)
            return lambda: run_as_main(body, line.file, [line.file, *line.arguments])
        options = ticket_options(line.options, "PPY_FAIL_GUARDS" in os.environ)
        outcome = prepare(session, source, options, cli_cache=line.options.get("cache-dir"))
    except (SyntaxError, ValueError):
        return lambda: _under_cpython(line)  # which says what is wrong with it
    for diagnostic in outcome.notes:
        note(diagnostic)
    if outcome.action == "stop":
        status = fail(outcome.diagnostics)
        return lambda: status
    if outcome.manifest is None:
        return lambda: _under_cpython(line)
    manifest = outcome.manifest
    if outcome.action == "ticket" and may_replace:
        return _start_again
    return lambda: _run(manifest, line)


def _artifact(line: RunLine) -> Step:
    """The artifact in a folder, or E1801."""
    from ppy_runtime.launch.artifact import load_artifact, run_loaded
    from ppy_runtime.manifest.errors import ManifestError

    from ppy_compiler.diagnostics.code import DiagnosticError
    from ppy_compiler.diagnostics.codes.artifacts import BAD_MANIFEST

    try:
        manifest = load_artifact(line.file)
    except ManifestError as error:
        diagnostic = BAD_MANIFEST.at(line.file, folder=line.file, reason=error.reason, remedy=error.remedy)
        raise DiagnosticError(diagnostic) from error

    def run() -> int:
        run_loaded(manifest, line.file, line.arguments)
        return 0

    return run


def _run(manifest: Manifest, line: RunLine) -> int:
    from ppy_runtime.launch.program import run_manifest

    run_manifest(manifest, [line.file, *line.arguments], path=line.file)
    return 0


def _under_cpython(line: RunLine) -> NoReturn:
    from ppy_runtime.launch.program import run_source

    run_source(line.file, line.arguments)


def _start_again() -> NoReturn:
    os.environ[BUILT_VARIABLE] = "1"
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execv(sys.executable, sys.orig_argv)
