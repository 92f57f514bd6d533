"""Where something stands in a source text.

Lines count from 1 and columns are offsets in UTF-8 bytes counted from 0, exactly as `ast` gives them; turning them
into characters is left to `source.Source`, which has the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Positioned(Protocol):
    """A syntax node with a place: statements, expressions, patterns, arguments, keywords, aliases …"""

    @property
    def lineno(self) -> int: ...
    @property
    def col_offset(self) -> int: ...
    @property
    def end_lineno(self) -> int | None: ...
    @property
    def end_col_offset(self) -> int | None: ...


class Span(NamedTuple):
    """A range of source text; the end is exclusive. A tuple, so that millions stay cheap to make, hash and sort."""

    line: int
    col: int
    end_line: int
    end_col: int

    @classmethod
    def of(cls, node: Positioned) -> Span:
        """The span of a syntax node."""
        end_line, end_col = node.end_lineno, node.end_col_offset
        return cls(
            node.lineno,
            node.col_offset,
            node.lineno if end_line is None else end_line,
            node.col_offset if end_col is None else end_col,
        )

    @classmethod
    def point(cls, line: int, col: int) -> Span:
        """The empty span at one place."""
        return cls(line, col, line, col)

    @classmethod
    def join(cls, spans: Iterable[Span]) -> Span:
        """The smallest span that covers all of `spans` (at least one)."""
        all_spans = list(spans)
        start = min((span.line, span.col) for span in all_spans)
        end = max((span.end_line, span.end_col) for span in all_spans)
        return cls(*start, *end)

    @property
    def is_empty(self) -> bool:
        return (self.line, self.col) == (self.end_line, self.end_col)

    def contains(self, other: Span) -> bool:
        """True when `other` lies inside this span, its borders included."""
        return (self.line, self.col) <= (other.line, other.col) and (other.end_line, other.end_col) <= (
            self.end_line,
            self.end_col,
        )

    def __str__(self) -> str:
        return f"{self.line}:{self.col}-{self.end_line}:{self.end_col}"
