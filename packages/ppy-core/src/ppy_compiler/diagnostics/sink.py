"""Where diagnostics go: a sink that keeps each finding once, in the order a reader wants, and the texts they quote."""

from __future__ import annotations

from collections.abc import Iterable

from ppy_compiler.diagnostics.code import Diagnostic, Severity
from ppy_compiler.diagnostics.codes import exit_status_of, family_of
from ppy_compiler.support.source import Source


class SourceMap:
    """The texts that diagnostics quote, by path. A text that cannot be read is None: quoting is never an error."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources: dict[str, Source | None] = {source.path: source for source in sources}

    def __len__(self) -> int:
        return len(self._sources)

    def add(self, source: Source) -> None:
        self._sources[source.path] = source

    def get(self, path: str) -> Source | None:
        """The text at `path`, read from disk when no stage has brought it (cached remarks)."""
        if path not in self._sources:
            try:
                self._sources[path] = Source.read(path)
            except (OSError, SyntaxError, ValueError):
                self._sources[path] = None
        return self._sources[path]


class Sink:
    """Collects diagnostics; the same one reported twice (a function analysed for two signatures) counts once."""

    def __init__(self, sources: SourceMap | None = None) -> None:
        self.sources = sources if sources is not None else SourceMap()
        self._found: dict[Diagnostic, None] = {}

    def report(self, diagnostic: Diagnostic) -> None:
        self._found[diagnostic] = None

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        self._found.update(dict.fromkeys(diagnostics))

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was found, by place."""
        return sorted(self._found, key=lambda diagnostic: diagnostic.sort_key)

    def of(self, severity: Severity) -> list[Diagnostic]:
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity is severity]

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self._found)

    @property
    def exit_status(self) -> int:
        """What a command that found this ends with: 0, 1 the program, 2 the request, 3 our own fault."""
        errors = [diagnostic for diagnostic in self._found if diagnostic.severity is Severity.ERROR]
        return max((exit_status_of(error.code) for error in errors), default=0)


def promote(diagnostics: Iterable[Diagnostic], families: Iterable[str]) -> list[Diagnostic]:
    """Turn the remarks of the named families (or codes) into errors: the `strict` policy."""
    chosen = frozenset(families)
    return [
        diagnostic.as_error()
        if diagnostic.severity is Severity.REMARK and chosen & {family_of(diagnostic.code).name, diagnostic.code}
        else diagnostic
        for diagnostic in diagnostics
    ]
