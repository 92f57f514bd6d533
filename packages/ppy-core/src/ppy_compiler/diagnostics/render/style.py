"""How text may look: colour and width, decided once for a stream."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from ppy_compiler.diagnostics.code import Severity

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_BLUE = "\x1b[1;34m"
_COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.REMARK: "\x1b[1;36m"}


@dataclass(frozen=True, slots=True)
class Style:
    """What the renderer for people may use. The default suits a file."""

    colour: bool = False
    width: int = 120

    def severity(self, severity: Severity, text: str) -> str:
        return self._wrap(_COLOURS[severity], text)

    def bold(self, text: str) -> str:
        return self._wrap(_BOLD, text)

    def frame(self, text: str) -> str:
        """Line numbers and rules around quoted source."""
        return self._wrap(_BLUE, text)

    def _wrap(self, start: str, text: str) -> str:
        return f"{start}{text}{_RESET}" if self.colour and text else text


def style_for(stream: TextIO, colour: str = "auto", environ: Mapping[str, str] = os.environ) -> Style:
    """The style of a stream. `colour` is "always", "never" or "auto", which honours NO_COLOR, FORCE_COLOR and dumb
    terminals in this order and otherwise asks whether the stream is a terminal."""
    return Style(colour=_wants_colour(stream, colour, environ), width=_width(stream))


def _wants_colour(stream: TextIO, colour: str, environ: Mapping[str, str]) -> bool:
    if colour != "auto":
        return colour == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()


def _width(stream: TextIO) -> int:
    try:
        return max(40, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        return 120
