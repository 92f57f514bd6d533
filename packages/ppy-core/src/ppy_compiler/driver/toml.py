"""A TOML file whose keys have places: the standard library's parser, and the lines that it does not keep."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ppy_compiler.support.spans import Span

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


class TomlFile:
    """A file, parsed. `problem` says why it could not be, "" where it could."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problem: str | None = None
        self.problem_span: Span | None = None
        self.data: Mapping[str, Any] = {}
        self._lines: list[str] = []
        import tomllib

        try:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8")
            self._lines = text.splitlines()
            self.data = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            self._refuse(error)

    def _refuse(self, error: Exception) -> None:
        self.problem = str(error)
        if match := _AT.search(self.problem):
            self.problem = self.problem[: match.start()].strip()
            self.problem_span = Span.point(int(match[1]), int(match[2]) - 1)

    def table(self, *names: str) -> Any:
        """The value at a dotted place; an empty table where nothing is."""
        value: Any = self.data
        for name in names:
            if not isinstance(value, Mapping):
                return value
            value = value.get(name, {})
        return value

    def line_of(self, place: tuple[str, ...], name: str) -> int:
        """The line that sets `name` in the table at `place`; the table's own, or 1, where it cannot be seen."""
        span = self.span_of(place, name)
        return span.line if span is not None else 1

    def span_of(self, place: tuple[str, ...], name: str) -> Span | None:
        """Where `name` is written in the table at `place`, however the keys are dotted."""
        wanted = (*place, name)
        best: Span | None = None
        current: tuple[str, ...] = ()
        for number, line in enumerate(self._lines, 1):
            if header := _HEADER.fullmatch(line):
                current = _parts(header[1])
                if current in (place, wanted):
                    best = _span(number, line, header.start(1), header.end(1))
                continue
            key, separator, _ = line.partition("=")
            if separator and (found := (*current, *_parts(key)))[: len(wanted)] == wanted and found:
                start = len(line) - len(line.lstrip())
                return _span(number, line, start, start + len(key.strip()))
        return best


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


def _span(number: int, line: str, start: int, end: int) -> Span:
    def column(offset: int) -> int:
        return len(line[:offset].encode("utf-8", "surrogatepass"))

    return Span(number, column(start), number, column(end))
