"""Faults of our own: an exception where only a diagnostic may come out. Turned into E3001 and a report file.

The report holds versions, options and the traceback. It holds no program text beyond the file's name, so that sending
it is harmless. `PPY_STRICT_INTERNAL=1` makes a fault end the command with status 3 where it could go on without (a
module that failed to compile still runs under CPython); the tests set it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from ppy_runtime.manifest.files import sha256_of, write_atomic

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import internal as codes
from ppy_compiler.ir.verifier import VerifyError

STRICT_VARIABLE = "PPY_STRICT_INTERNAL"
DISTRIBUTIONS = ("ppy-core", "ppy-runtime", "ppy-backend-llvm", "llvmlite")


def strict() -> bool:
    """Whether a fault must end the command."""
    return os.environ.get(STRICT_VARIABLE, "") not in ("", "0")


class Fault(Exception):
    """An internal error that ends the command with status 3; `diagnostic` names the report."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def report_fault(stage: str, path: str, error: BaseException, options: Mapping[str, object]) -> Diagnostic:
    """Write the report of `error`, which happened while PPY was `stage` the file `path`; the diagnostic naming it."""
    text = f"{type(error).__name__}: {error}".strip().partition("\n")[0]
    report = write_report(stage, path, error, options)
    if isinstance(error, VerifyError):
        return codes.INVALID_IR.at(path, stage=stage, problem=error.problems[0], report=report)
    return codes.INTERNAL_ERROR.at(path, stage=stage, error=text, report=report)


def write_report(stage: str, path: str, error: BaseException, options: Mapping[str, object]) -> str:
    """The report's path, or "nowhere (REASON)" where no file can be written: reporting must not fail. The same fault
    writes the same file again."""
    import tempfile

    data = report_text(stage, path, error, options).encode("utf-8", "backslashreplace")
    name = os.path.join(tempfile.gettempdir(), f"ppy-report-{sha256_of(data)[:12]}.txt")
    try:
        write_atomic(name, data)
    except OSError as problem:
        return f"nowhere ({problem.strerror})"
    return name


def report_text(stage: str, path: str, error: BaseException, options: Mapping[str, object]) -> str:
    """What a report says."""
    from traceback import format_exception

    from ppy_compiler.support.extensions import installed_version

    versions = [f"{name} {installed_version(name) or 'not installed'}" for name in DISTRIBUTIONS]
    settings = [f"{name} = {value!r}" for name, value in sorted(options.items())]
    variables = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("PPY_")]
    lines = [
        "PPY fault report",
        f"while: {stage}",
        f"file: {os.path.basename(path)}",
        f"python: {sys.version.splitlines()[0]} ({sys.implementation.cache_tag}, {sys.platform})",
        *versions,
        *settings,
        *variables,
        "",
        "".join(format_exception(error)),
    ]
    return "\n".join(lines)
