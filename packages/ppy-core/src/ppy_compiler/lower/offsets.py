"""From source spans to bytecode offsets: what tracebacks and frames of native code show.

CPython keeps a position for every instruction (PEP 657). An operation's offset is that of the last instruction with
exactly its span, else of the last one that starts on its line, so a traceback entry made from it prints CPython's
line
and carets.
"""

from __future__ import annotations

import types

from ppy_compiler.support.spans import Span


class Offsets:
    """Offsets of one code object's spans, in bytes."""

    def __init__(self, code: types.CodeType) -> None:
        self._exact: dict[tuple[int | None, ...], int] = {}
        self._lines: dict[int, int] = {}
        for index, (line, end_line, col, end_col) in enumerate(code.co_positions()):
            self._exact[line, col, end_line, end_col] = 2 * index
            if line is not None:
                self._lines[line] = 2 * index
        self._first = 2 * next((i for i, p in enumerate(code.co_positions()) if p[0] is not None), 0)

    def of(self, span: Span | None) -> int:
        """The offset for an operation with ``span``."""
        if span is None:
            return self._first
        exact = self._exact.get((span.line, span.col, span.end_line, span.end_col))
        if exact is not None:
            return exact
        return self._lines.get(span.line, self._lines.get(span.end_line, self._first))


def nested_codes(code: types.CodeType) -> list[types.CodeType]:
    """``code`` and every code object among its constants, in preorder: the numbering that the native library uses."""
    found = [code]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.extend(nested_codes(constant))
    return found


def code_at(code: types.CodeType, path: tuple[int, ...]) -> types.CodeType:
    """The code object at ``path``, a chain of indices into ``co_consts``."""
    for index in path:
        code = code.co_consts[index]
    return code
