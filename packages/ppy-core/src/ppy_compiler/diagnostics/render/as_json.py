"""One JSON document for programs. Keys never change their meaning within a schema version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import find
from ppy_compiler.diagnostics.render.places import place
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap
from ppy_compiler.support.spans import Span

SCHEMA_VERSION = 1


def render(diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style) -> str:
    document = {
        "version": SCHEMA_VERSION,
        "diagnostics": [_entry(diagnostic, sources) for diagnostic in diagnostics],
    }
    return json.dumps(document, indent=2) + "\n"


def _entry(diagnostic: Diagnostic, sources: SourceMap) -> dict[str, Any]:
    code = find(diagnostic.code)
    return {
        "code": code.code,
        "name": code.slug,
        "severity": diagnostic.severity.value,
        "title": code.title,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "location": _location(diagnostic.path, diagnostic.span, sources),
        "function": diagnostic.subject,
        "labels": [
            {**_location(label.path or diagnostic.path, label.span, sources), "text": label.text}
            for label in diagnostic.labels
        ],
        "notes": list(diagnostic.notes),
        "fields": dict(diagnostic.fields),
    }


def _location(path: str, span: Span | None, sources: SourceMap) -> dict[str, Any]:
    at = place(path, span, sources)
    if at is None:
        return {"path": path, "start": None, "end": None}
    return {
        "path": path,
        "start": {"line": at.line, "column": at.column},
        "end": {"line": at.end_line, "column": at.end_column},
    }
