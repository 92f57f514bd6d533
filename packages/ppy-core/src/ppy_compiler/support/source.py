"""One source text: its bytes, what they decode to, and the index of its lines.

Takes bytes and a path. Guarantees text decoded as CPython decodes it (byte-order mark, PEP 263 cookies, universal
newlines); bytes that cannot be decoded raise the very `SyntaxError` that CPython's `compile` raises for them, because
CPython itself is asked. Parsing is left to the frontend, which gives `data` to CPython and never this text, so that
everything else wrong with a file (null bytes, a bad token) is reported by CPython too.
"""

from __future__ import annotations

import hashlib
import os
import re

from ppy_compiler.support.spans import Span

_BOM = b"\xef\xbb\xbf"
# CPython's `get_coding_spec`: only blanks before the comment, the first non-empty name after `coding:` or `coding=`.
_COOKIE = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK = re.compile(rb"[ \t\f]*(?:#[^\n]*)?\Z")


class Source:
    """A source text with constant-time access to its lines. Treat it as immutable."""

    __slots__ = ("_starts", "data", "path", "text")

    def __init__(self, path: str, data: bytes, text: str) -> None:
        self.path = path
        self.data = data
        self.text = text
        self._starts: list[int] | None = None

    @classmethod
    def from_bytes(cls, data: bytes, path: str = "<string>") -> Source:
        """Decode `data` as CPython decodes a module; raises CPython's SyntaxError where that is impossible."""
        return cls(path, data, decode(data, path))

    @classmethod
    def from_text(cls, text: str, path: str = "<string>") -> Source:
        """A source that was never bytes (tests, notebooks); lone surrogates survive in `text` only."""
        data = text.encode("utf-8", "surrogatepass")
        return cls(path, data, text.replace("\r\n", "\n").replace("\r", "\n"))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Source:
        """Read and decode a file; raises OSError as `open` does and SyntaxError as `from_bytes` does."""
        name = os.fspath(path)
        with open(name, "rb") as file:
            return cls.from_bytes(file.read(), name)

    @property
    def digest(self) -> str:
        """The sha256 of the bytes: the key of this content."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def line_count(self) -> int:
        return len(self._line_starts())

    def line(self, number: int) -> str:
        """Line `number` without its newline; an empty string beyond the text, where CPython may point at the end."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        start = starts[number - 1]
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[start:end]

    def character(self, line: int, col: int) -> int:
        """The offset in characters, within its line, of the byte column `col`."""
        text = self.line(line)
        if text.isascii():
            return min(col, len(text))
        return len(text.encode("utf-8", "surrogatepass")[:col].decode("utf-8", "ignore"))

    def offset(self, line: int, col: int) -> int:
        """The offset in `text` of a line and byte column."""
        starts = self._line_starts()
        if line > len(starts):
            return len(self.text)
        return starts[line - 1] + self.character(line, col)

    def excerpt(self, span: Span) -> str:
        """The text that `span` covers."""
        return self.text[self.offset(span.line, span.col) : self.offset(span.end_line, span.end_col)]

    def _line_starts(self) -> list[int]:
        # Only "\n" ends a line here (the text has universal newlines already): form feeds and U+2028 do not.
        if self._starts is None:
            self._starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        return self._starts

    def __repr__(self) -> str:
        return f"Source({self.path!r}, {self.line_count} lines)"


def decode(data: bytes, path: str = "<string>") -> str:
    """The text of a module's bytes, or the SyntaxError that CPython raises for them."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    has_bom = lines.startswith(_BOM)
    lines = lines[len(_BOM) :] if has_bom else lines
    cookie = find_cookie(lines)
    try:
        encoding = "utf-8" if cookie is None or _names_utf8(cookie) else cookie
        if has_bom and encoding != "utf-8":
            raise UnicodeError("a byte-order mark contradicts the declared encoding")
        return lines.decode(encoding)
    except (LookupError, UnicodeError, ValueError):
        compile(data, path, "exec", dont_inherit=True)  # CPython's own words for what is wrong
        # CPython never decodes the comments of a module: bytes there may be anything.
        return lines.decode("utf-8", "backslashreplace")


def find_cookie(lines: bytes) -> str | None:
    """The encoding that a PEP 263 comment declares in the first two lines of `lines` (newlines are "\\n")."""
    first, _, rest = lines.partition(b"\n")
    candidates = [first, rest.partition(b"\n")[0]] if _BLANK.match(first) else [first]
    for line in candidates:
        if match := _COOKIE.match(line):
            return match[1].decode("ascii")
    return None


def _names_utf8(cookie: str) -> bool:
    # CPython's `get_normal_name`: these spellings never reach the codec machinery.
    name = cookie[:12].lower().replace("_", "-")
    return name == "utf-8" or name.startswith("utf-8-")
