"""Writing to people and to programs: products on standard output, everything else on standard error.

Text that the stream's encoding does not know is escaped instead of failing, and standard error that is closed or absent
is no reason to stop.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.sink import Sink, SourceMap

_PIECE = 1 << 14


def show(text: str) -> None:
    """The command's product."""
    stream = sys.stdout
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    for start in range(0, len(text), _PIECE):  # a reader that has left shows between two writes
        stream.write(text[start : start + _PIECE])


def show_bytes(data: bytes) -> None:
    """A product that is no text."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def show_json(data: Any) -> None:
    """A product for programs: one JSON document."""
    show(json.dumps(data, indent=2, sort_keys=True) + "\n")


def tell(text: str) -> None:
    """A line for whoever watches."""
    try:
        print(text, file=sys.stderr)
    except (OSError, ValueError, AttributeError):
        pass


def render_to_people(diagnostics: Sequence[Diagnostic], sources: SourceMap | None = None) -> None:
    """Diagnostics in full on standard error."""
    from ppy_compiler.diagnostics.render import render
    from ppy_compiler.diagnostics.render.style import style_for

    if diagnostics and sys.stderr is not None:
        text = render("full", diagnostics, sources or SourceMap(), style_for(sys.stderr))
        tell(text.rstrip("\n"))


def note(diagnostic: Diagnostic) -> None:
    """One line on standard error about something that stops nothing."""
    help = f" ({diagnostic.help})" if diagnostic.help else ""
    place = f"{diagnostic.path}:{diagnostic.span.line}: " if diagnostic.path and diagnostic.span is not None else ""
    tell(f"ppy: {place}{diagnostic.severity.value}[{diagnostic.code}]: {diagnostic.message}{help}")


def fail(diagnostics: Sequence[Diagnostic]) -> int:
    """Report what ended the command; the exit status it asks for."""
    render_to_people(diagnostics)
    sink = Sink()
    sink.extend(diagnostics)
    return sink.exit_status
