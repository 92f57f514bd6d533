"""One line a finding: `path:line:col: E1234 message`."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.render.places import location, printable
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap


def render(diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style) -> str:
    lines = [
        f"{printable(location(d.path, d.span, sources))}: {style.severity(d.severity, d.code)} {printable(d.message)}\n"
        for d in diagnostics
    ]
    return "".join(lines)
