"""Workflow commands of GitHub Actions, which show each finding beside the changed line."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.diagnostics.code import Diagnostic, Severity
from ppy_compiler.diagnostics.render.places import place
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "notice"}


def render(diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style) -> str:
    return "".join(_command(diagnostic, sources) for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic, sources: SourceMap) -> str:
    properties = {"file": diagnostic.path} if diagnostic.path else {}
    at = place(diagnostic.path, diagnostic.span, sources)
    if at is not None:
        properties |= {"line": str(at.line), "endLine": str(at.end_line)}
        if at.line == at.end_line:  # columns of a range over several lines are refused
            properties |= {"col": str(at.column), "endColumn": str(at.end_column)}
    properties["title"] = diagnostic.code
    listed = ",".join(f"{name}={_escape(value, property=True)}" for name, value in properties.items())
    text = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_escape(text)}\n"


def _escape(text: str, *, property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property else text
