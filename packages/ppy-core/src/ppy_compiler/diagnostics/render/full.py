"""The format for people: the finding, the source with carets, further places, help. Each finding fits one screen.

    error[E1101]: `double` expects `int` for `n`, got `str`
      --> shop.py:5:14
       |
     5 | print(double("3"))
       |              ^^^
       = help: pass `int`, or widen the annotation of `n`
       = more: ppy explain E1101
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.render.excerpt import Mark, quote
from ppy_compiler.diagnostics.render.places import location, printable
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap
from ppy_compiler.support.spans import Span

_MAX_LABELS = 3
_MAX_NOTES = 5


def render(diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style) -> str:
    """The findings with a blank line between them; counting them is the command's business."""
    return "\n".join("\n".join(_block(diagnostic, sources, style)) + "\n" for diagnostic in diagnostics)


def _block(diagnostic: Diagnostic, sources: SourceMap, style: Style) -> Iterator[str]:
    kind = f"{diagnostic.severity.value}[{diagnostic.code}]"
    yield f"{style.severity(diagnostic.severity, kind)}{style.bold(f': {printable(diagnostic.message)}')}"
    margin = _margin(diagnostic)
    here = [label for label in diagnostic.labels if label.path in ("", diagnostic.path)]
    elsewhere = [label for label in diagnostic.labels if label not in here]
    marks = [Mark(label.span, label.text, None) for label in here[:_MAX_LABELS]]
    if diagnostic.span is not None:
        marks.append(Mark(diagnostic.span, "", diagnostic.severity))
    yield from _quoted(diagnostic.path, diagnostic.span, marks, sources, style, margin)
    for label in elsewhere[:_MAX_LABELS]:
        yield from _quoted(label.path, label.span, [Mark(label.span, label.text, None)], sources, style, margin)
    for note in diagnostic.notes[:_MAX_NOTES]:
        yield _tail("note", note, style, margin)
    hidden = len(here[_MAX_LABELS:]) + len(elsewhere[_MAX_LABELS:]) + len(diagnostic.notes[_MAX_NOTES:])
    if hidden:
        yield _tail("note", f"{hidden} more in the JSON output", style, margin)
    if diagnostic.help:
        yield _tail("help", diagnostic.help, style, margin)
    yield _tail("more", f"ppy explain {diagnostic.code}", style, margin)


def _margin(diagnostic: Diagnostic) -> int:
    spans = [label.span for label in diagnostic.labels] + ([diagnostic.span] if diagnostic.span else [])
    return max((len(str(span.end_line)) for span in spans), default=1)


def _quoted(
    path: str, span: Span | None, marks: list[Mark], sources: SourceMap, style: Style, margin: int
) -> Iterator[str]:
    if path:  # a finding about the request as a whole has no place
        yield f"{' ' * margin}{style.frame('-->')} {printable(location(path, span, sources))}"
    source = sources.get(path) if span is not None else None
    if source is not None:
        yield from quote(source, marks, style, margin)


def _tail(kind: str, text: str, style: Style, margin: int) -> str:
    first, *rest = (printable(line) for line in text.split("\n"))
    indent = " " * (margin + 5 + len(kind))
    return "\n".join(
        [f"{' ' * margin} {style.frame('=')} {style.bold(f'{kind}:')} {first}", *(indent + line for line in rest)]
    )
