"""A cold `ppy run`: build the program, leave a ticket so that the next start is warm, and say how to go on.

Takes the file and the options; answers with one of four `Outcome`s, so that the command which called only has to do
what it says. A failure of PPY itself, a missing backend, an unusable cache: the program still runs, under CPython if
need be.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ppy_runtime.manifest.cache import open_cache
from ppy_runtime.manifest.ticket import ticket_key, write_ticket

from ppy_compiler.build.program import store_program
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes.plugins import UNKNOWN_BACKEND
from ppy_compiler.driver.faults import Fault, strict
from ppy_compiler.driver.modules import MAIN
from ppy_compiler.driver.programs import BuiltProgram, ProgramBuilder
from ppy_compiler.driver.remarks import remarks_of, strict_errors
from ppy_compiler.driver.session import Session
from ppy_compiler.support.fingerprints import code_folder
from ppy_compiler.support.source import Source

if TYPE_CHECKING:
    from ppy_runtime.manifest.document import Manifest


@dataclass(frozen=True, slots=True)
class Outcome:
    """How to go on: run what the ticket names ("ticket"), run `manifest` in this process ("manifest"), run the source
    under CPython ("source"), or stop with `diagnostics` ("stop"). `notes` are for people, whatever follows."""

    action: Literal["ticket", "manifest", "source", "stop"]
    manifest: Manifest | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    notes: tuple[Diagnostic, ...] = ()


def prepare(
    session: Session,
    source: Source,
    ticket_options: Mapping[str, str],
    *,
    name: str = MAIN,
    cli_cache: str | None = None,
) -> Outcome:
    """Build the program of `source`. Raises what CPython says of a source that is not Python."""
    started = time.time_ns()
    if (unusable := _check_extensions(session)) is not None:
        return unusable
    builder = ProgramBuilder(session)
    try:
        built = builder.build(source, name)
    except Fault as fault:
        if strict():
            raise
        return Outcome("source", notes=(fault.diagnostic,))
    except DiagnosticError as error:  # a unit that the backend refuses, a linker that fails
        return Outcome("source", notes=(error.diagnostic,))
    if refused := strict_errors(session, built):
        return Outcome("stop", diagnostics=tuple(refused))
    if session.config["remarks"] == "all":
        for module in built.sources:
            session.sink.extend(remarks_of(session, module))
    made_by = versions(session)
    manifest = store_program(session.cache, built.program, made_by)
    notes = (*session.sink.diagnostics, *built.faults)
    if manifest is None:
        manifest = store_program(builder.temporary_cache(), built.program, made_by)
        notes = (*session.sink.diagnostics, *built.faults)
    elif not notes and _leave_ticket(session, source, built, manifest, ticket_options, started, cli_cache):
        return Outcome("ticket", manifest)
    return Outcome("source" if manifest is None else "manifest", manifest, notes=notes)


def _check_extensions(session: Session) -> Outcome | None:
    """Load plugins and backend. What the user asked for must work; without the default backend PPY is CPython."""
    try:
        session.plugins  # noqa: B018
    except DiagnosticError as error:
        return Outcome("stop", diagnostics=(error.diagnostic,))
    try:
        session.backend  # noqa: B018
    except DiagnosticError as error:
        if session.config.settings["backend"].origin != "default":
            return Outcome("stop", diagnostics=(error.diagnostic,))
        absent = error.diagnostic.code == UNKNOWN_BACKEND.code
        return Outcome("source", notes=() if absent else (error.diagnostic,))
    return None


def versions(session: Session) -> dict[str, str]:
    """Who made a manifest."""
    from ppy_compiler.support.extensions import installed_version

    return {"ppy-core": installed_version("ppy-core") or "", "backend": session.backend.name}


def _leave_ticket(
    session: Session,
    source: Source,
    built: BuiltProgram,
    manifest: Manifest,
    options: Mapping[str, str],
    started: int,
    cli_cache: str | None,
) -> bool:
    if session.config["remarks"] != "none":
        return False  # a warm start says nothing
    # Where a start without the compiler looks: it knows the command line and the environment, not `[tool.ppy]`.
    cache = open_cache(session.folder, cli_cache)
    key = ticket_key(source.path, options, built.program.entry)
    trees = code_trees(session)
    return write_ticket(cache, key, manifest, inputs=built.inputs, trees=trees, now_ns=started)


def code_trees(session: Session) -> list[str]:
    """The folders of the code that made the build: the compiler, the runtime, the backend, the plugins."""
    owners = (session.backend, *session.plugins.plugins)
    modules = ["ppy_compiler", "ppy_runtime", *(type(owner).__module__ for owner in owners)]
    return [code_folder(module) for module in modules]
