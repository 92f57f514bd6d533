"""`ppy check`: files through frontend, inference and the checker, without building or running anything.

Takes paths; gives one sink with everything found, what is wrong with the configuration included. A file whose findings
are in the cache, under a key of its text and of whatever else they depend on, is not analysed again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ppy_compiler.build.keys import compiler_fingerprint
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError, Severity
from ppy_compiler.diagnostics.codes import syntax as codes
from ppy_compiler.diagnostics.sink import Sink, promote
from ppy_compiler.driver import stages
from ppy_compiler.driver.faults import Fault, report_fault
from ppy_compiler.driver.session import ConfigurationError, Session
from ppy_compiler.plugins.registry import PluginSet
from ppy_compiler.support.fingerprints import fingerprint
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

SUFFIXES = (".py", ".ppy")
_KIND = "check"


def check_paths(paths: Iterable[str], options: Mapping[str, str]) -> Sink:
    """Everything that is found in files, and in the folders' `.py` and `.ppy` files."""
    sink = Sink()
    sessions: dict[str, Session | None] = {}
    for path in paths:
        for file in _files(path):
            folder = os.path.dirname(os.path.abspath(file))
            if folder not in sessions:
                sessions[folder] = _session(folder, options, sink)
            session = sessions[folder]
            if session is not None:
                sink.extend(check_file(session, file, sink))
    return sink


def _session(folder: str, options: Mapping[str, str], sink: Sink) -> Session | None:
    try:
        session = Session(folder, options)
        sink.extend(session.plugins.notes)
    except ConfigurationError as error:
        sink.extend(error.diagnostics)
        return None
    except DiagnosticError as error:
        sink.report(error.diagnostic)
        return None
    return session


def _files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(
            name for name in folders if not name.startswith((".", "__")) and not _is_environment(folder, name)
        )
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(SUFFIXES))


def _is_environment(folder: str, name: str) -> bool:
    return os.path.isfile(os.path.join(folder, name, "pyvenv.cfg"))


def check_file(session: Session, path: str, sink: Sink) -> list[Diagnostic]:
    """What is found in one file, after the strictness of its configuration."""
    try:
        source = Source.read(path)
    except OSError as error:
        return [codes.UNREADABLE_FILE.at(path, file=path, reason=error.strerror or str(error))]
    except SyntaxError as error:
        return [codes.BAD_ENCODING.at(path, _place(error), reason=_words(error))]
    sink.sources.add(source)
    config = session.config.for_file(path)
    found = promote(findings(session, source), config["strict"])
    return [
        diagnostic for diagnostic in found if config["remarks"] == "all" or diagnostic.severity is not Severity.REMARK
    ]


def findings(session: Session, source: Source) -> list[Diagnostic]:
    """Everything that is found in one source, from the cache where it is known."""
    plugins = session.plugins_for(source.path)
    # Whether their libraries are imported is known after parsing only, so all of them are in the key.
    models = plugins.fingerprints(plugins.claims)
    key = fingerprint(_KIND, source.digest, compiler_fingerprint(), sys.version_info[:2], models)
    cached = session.cache.get(_KIND, key)
    if cached is not None:
        return [replace(Diagnostic.from_data(data), path=source.path) for data in json.loads(cached)]
    found = _analysed(session, source, plugins)
    session.cache.put(_KIND, key, json.dumps([diagnostic.to_data() for diagnostic in found]).encode())
    return found


def _analysed(session: Session, source: Source, plugins: PluginSet) -> list[Diagnostic]:
    try:
        code = stages.compiled(source)
    except SyntaxError as error:
        return [_syntax_error(source, _words(error), _place(error))]
    except ValueError as error:  # null bytes
        return [_syntax_error(source, str(error), None)]
    try:
        module = stages.python_ir(source, _module_name(source.path), code)
        stages.structured(module, plugins)
        facts = stages.typed(module, plugins)
        return [*stages.checked(module, facts, source), *stages.unexpanded(module, facts, code, source)]
    except stages.StageFailed as failed:
        settings = {name: setting.value for name, setting in session.config.settings.items()}
        raise Fault(report_fault(failed.stage, source.path, failed.error, settings)) from failed


def _syntax_error(source: Source, reason: str, span: Span | None) -> Diagnostic:
    version = ".".join(map(str, sys.version_info[:2]))
    return codes.SYNTAX_ERROR.at(source.path, span, reason=reason, version=version)


def _words(error: SyntaxError) -> str:
    kind = type(error).__name__
    return error.msg if kind == "SyntaxError" else f"{kind}: {error.msg}"


def _place(error: SyntaxError) -> Span | None:
    """CPython's place: characters from 1, an end that may be absent or nonsense."""
    if not error.lineno:
        return None
    text = error.text or ""
    start = _bytes_before(text, error.offset)
    end_line = error.end_lineno or 0
    if end_line < error.lineno or not error.end_offset or error.end_offset < 0:
        return Span.point(error.lineno, start)
    end = _bytes_before(text, error.end_offset) if end_line == error.lineno else error.end_offset - 1
    return Span(error.lineno, start, end_line, max(end, start) if end_line == error.lineno else end)


def _bytes_before(text: str, offset: int | None) -> int:
    return len(text[: max((offset or 1) - 1, 0)].encode("utf-8", "surrogatepass"))


def _module_name(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]
