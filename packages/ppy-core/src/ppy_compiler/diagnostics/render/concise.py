"""One line a finding: `path:line:col: E1234 message`."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.render.places import location, printable
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap


def render(diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style) -> str:
    return "".join(_line(diagnostic, sources, style) for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic, sources: SourceMap, style: Style) -> str:
    place = f"{printable(location(diagnostic.path, diagnostic.span, sources))}: " if diagnostic.path else ""
    return f"{place}{style.severity(diagnostic.severity, diagnostic.code)} {printable(diagnostic.message)}\n"
