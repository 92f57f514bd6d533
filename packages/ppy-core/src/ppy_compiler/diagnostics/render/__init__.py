"""Diagnostics as text: one module a format, each a function `render(diagnostics, sources, style) -> str`.

Formats for machines (`json`, `sarif`, `github`) ignore the style. Columns that leave here count characters from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.render.style import Style
from ppy_compiler.diagnostics.sink import SourceMap

Renderer = Callable[[Sequence[Diagnostic], SourceMap, Style], str]

FORMATS = {"full": "full", "concise": "concise", "json": "as_json", "sarif": "sarif", "github": "github"}


def render(
    format_name: str, diagnostics: Sequence[Diagnostic], sources: SourceMap, style: Style | None = None
) -> str:
    """All of `diagnostics` in one format of `FORMATS`; the text ends with a newline unless it is empty."""
    module = import_module(f"{__name__}.{FORMATS[format_name]}")
    renderer: Renderer = module.render
    return renderer(diagnostics, sources, style or Style())
