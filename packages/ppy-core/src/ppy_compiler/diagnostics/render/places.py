"""The place of a diagnostic as people and other tools count it: lines and characters from 1."""

from __future__ import annotations

from dataclasses import dataclass

from ppy_compiler.diagnostics.sink import SourceMap
from ppy_compiler.support.spans import Span


@dataclass(frozen=True, slots=True)
class Place:
    line: int
    column: int
    end_line: int
    end_column: int  # exclusive


def place(path: str, span: Span | None, sources: SourceMap) -> Place | None:
    """Where a span stands. Without the text its byte columns are the best there is."""
    if span is None:
        return None
    source = sources.get(path)
    if source is None:
        return Place(span.line, span.col + 1, span.end_line, span.end_col + 1)
    start, end = source.character(span.line, span.col), source.character(span.end_line, span.end_col)
    return Place(span.line, start + 1, span.end_line, end + 1)


def location(path: str, span: Span | None, sources: SourceMap) -> str:
    """`path:line:column`, or the path alone for a finding about a whole file."""
    at = place(path, span, sources)
    return path if at is None else f"{path}:{at.line}:{at.column}"


def printable(text: str) -> str:
    """Source text made harmless for a terminal: control and bidirectional characters become escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
