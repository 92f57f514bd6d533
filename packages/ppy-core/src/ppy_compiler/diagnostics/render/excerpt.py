"""Quoting source lines under which marks stand.

Takes spans in bytes; guarantees that the carets stand under the right cells of a terminal: tabs are widened, wide
characters take two cells, long lines are cut around what is marked, long ranges show their first and last line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppy_compiler.diagnostics.code import Severity
from ppy_compiler.diagnostics.render.places import printable
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

_MAX_LINES = 3  # of one marked range; the middle of longer ones is left out
_TAB = "    "


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked range: the finding itself carries its severity, a label carries its text."""

    span: Span
    text: str
    severity: Severity | None


def quote(source: Source, marks: Sequence[Mark], style: Style, margin: int) -> Iterator[str]:
    """The marked lines in order, each with its number and followed by its marks."""
    gutter = f"{' ' * margin} {style.frame('|')}"
    yield gutter
    previous: int | None = None
    for number in _lines_to_show(marks):
        if previous is not None and number > previous + 1:
            yield style.frame(f"{'.' * min(3, margin + 2)}")
        previous = number
        line_marks = [mark for mark in marks if mark.span.line <= number <= _last_line(mark.span)]
        cells, offset = _window(source, number, line_marks, style.width - margin - 3)
        yield f"{style.frame(str(number).rjust(margin) + ' |')} {cells}".rstrip()
        for mark in line_marks:
            underline = _underline(source, number, mark, offset, len_cells(cells), style)
            if underline:
                yield f"{gutter} {underline}"


def _lines_to_show(marks: Sequence[Mark]) -> list[int]:
    shown: set[int] = set()
    for mark in marks:
        first, last = mark.span.line, _last_line(mark.span)
        if last - first < _MAX_LINES:
            shown.update(range(first, last + 1))
        else:
            shown.update((first, last))
    return sorted(shown)


def _last_line(span: Span) -> int:
    """The last line that has a marked character."""
    return span.end_line - 1 if span.end_line > span.line and span.end_col == 0 else span.end_line


def _columns(source: Source, number: int, span: Span) -> tuple[int, int]:
    """The cells of line `number` that a span covers: from its first character on lines after the first."""
    text = source.line(number)
    start = source.character(number, span.col) if number == span.line else len(text) - len(text.lstrip())
    end = source.character(number, span.end_col) if number == span.end_line else len(text.rstrip())
    return len_cells(_widen(text[:start])), len_cells(_widen(text[:end]))


def _window(source: Source, number: int, marks: Sequence[Mark], width: int) -> tuple[str, int]:
    """The line as it is shown, and how many cells were cut off at its left."""
    text = _widen(source.line(number))
    if len_cells(text) <= width:
        return text, 0
    start = min((_columns(source, number, mark.span)[0] for mark in marks), default=0)
    left = max(0, min(start - width // 3, len_cells(text) - width))
    return _slice_cells(text, left, width), left


def _underline(source: Source, number: int, mark: Mark, offset: int, shown: int, style: Style) -> str:
    start, end = _columns(source, number, mark.span)
    start, end = max(0, start - offset), min(end - offset, max(shown, start - offset + 1))
    if end <= start and number != mark.span.line:
        return ""
    sign = "-" if mark.severity is None else "^"
    line = sign * max(1, end - start)
    text = f" {printable(mark.text)}" if mark.text and number == _last_line(mark.span) else ""
    coloured = style.frame(line + text) if mark.severity is None else style.severity(mark.severity, line + text)
    return " " * start + coloured


def _widen(text: str) -> str:
    return printable(text.replace("\t", _TAB).replace("\f", " "))


def len_cells(text: str) -> int:
    """How many cells of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _slice_cells(text: str, left: int, width: int) -> str:
    taken: list[str] = []
    position = 0
    for character in text:
        cells = _cells(character)
        if left <= position and position + cells <= left + width:
            taken.append(character)
        position += cells
    return "".join(taken)
