"""SARIF 2.1.0, which code-scanning services and editors read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ppy_compiler.diagnostics.code import Diagnostic, Severity
from ppy_compiler.diagnostics.codes import find
from ppy_compiler.diagnostics.render.places import place
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap
from ppy_compiler.support.spans import Span

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style) -> str:
    rules = sorted({diagnostic.code for diagnostic in diagnostics})
    run = {
        "tool": {"driver": {"name": "ppy", "rules": [_rule(code) for code in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, rules.index(diagnostic.code), sources) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(name: str) -> dict[str, Any]:
    code = find(name)
    return {
        "id": code.code,
        "name": code.slug,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.explanation},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _result(diagnostic: Diagnostic, rule_index: int, sources: SourceMap) -> dict[str, Any]:
    text = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
        "locations": [_location(diagnostic.path, diagnostic.span, sources)],
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {**_location(label.path or diagnostic.path, label.span, sources), "message": {"text": label.text}}
            for label in diagnostic.labels
        ]
    return result


def _location(path: str, span: Span | None, sources: SourceMap) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(path)}}
    at = place(path, span, sources)
    if at is not None:
        physical["region"] = {
            "startLine": at.line,
            "startColumn": at.column,
            "endLine": at.end_line,
            "endColumn": at.end_column,
        }
    return {"physicalLocation": physical}
