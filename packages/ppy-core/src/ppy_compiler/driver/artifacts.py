"""`ppy build`: a program as a folder that runs without the compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppy_compiler.backends.linkers import CANDIDATES
from ppy_compiler.build.artifact import write_artifact
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import toolchain as codes
from ppy_compiler.driver.execution import versions
from ppy_compiler.driver.faults import Fault
from ppy_compiler.driver.programs import BuiltProgram, ProgramBuilder
from ppy_compiler.driver.remarks import remarks_of, strict_errors
from ppy_compiler.driver.session import Session
from ppy_compiler.support.source import Source

if TYPE_CHECKING:
    from ppy_runtime.manifest.document import Document

_SHARED = "shared"


class Refused(Exception):
    """The program is not built; `diagnostics` are the errors of it that say why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__(diagnostics[0].message)
        self.diagnostics = diagnostics


def build_artifact(
    session: Session, source: Source, destination: str, launcher: Callable[[], bytes]
) -> tuple[BuiltProgram, Document]:
    """Build the program of `source` into the folder `destination`. Raises CPython's SyntaxError, Refused under
    `strict`, DiagnosticError where a tool is missing or the folder cannot be written, Fault."""
    built = ProgramBuilder(session).build(source)
    if built.faults:
        raise Fault(built.faults[0])
    if errors := strict_errors(session, built):
        raise Refused(errors)
    if session.config["remarks"] == "all":
        for module in built.sources:
            session.sink.extend(remarks_of(session, module))
    formats = {part.unit.format for part in built.program.units if part.unit.library is not None}
    if formats - {_SHARED}:  # it would need the backend where it runs
        raise DiagnosticError(codes.NO_LINKER.at(source.path, tried=", ".join(CANDIDATES)))
    return built, write_artifact(built.program, destination, versions(session), launcher)
