"""Matching blocks of code to the code objects that CPython's compiler made for them.

A code object is known by its *path*: the indices into nested ``co_consts`` that lead to it from the module's. Its
parent, name and first line nearly always tell it; lambdas and comprehensions on one line are told apart by the
positions of their instructions. CPython drops code that cannot run, so there may be none.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType

from ppy_compiler.support.spans import Span

Path = tuple[int, ...]


def code_paths(code: CodeType, path: Path = ()) -> Iterator[tuple[Path, CodeType]]:
    """``code`` and all code objects in it, each with its path, parents first."""
    yield path, code
    for index, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from code_paths(constant, (*path, index))


class CodeIndex:
    """The code objects directly inside each one, by name and first line."""

    def __init__(self) -> None:
        self._children: dict[int, dict[tuple[str, int], list[tuple[int, CodeType]]]] = {}
        self._keep: list[CodeType] = []

    def find(self, parent: CodeType, name: str, line: int, span: Span) -> tuple[int, CodeType] | None:
        """Index and code object of the block called ``name`` at ``line`` whose value is computed at ``span``."""
        candidates = self._of(parent).get((name, line), [])
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        for is_match in (_has_position, _is_within):
            for candidate in candidates:
                if is_match(candidate[1], span):
                    return candidate
        return candidates[0]

    def _of(self, parent: CodeType) -> dict[tuple[str, int], list[tuple[int, CodeType]]]:
        children = self._children.get(id(parent))
        if children is None:
            children = self._children[id(parent)] = {}
            self._keep.append(parent)
            for index, constant in enumerate(parent.co_consts):
                if isinstance(constant, CodeType):
                    children.setdefault((constant.co_name, constant.co_firstlineno), []).append((index, constant))
        return children


def _has_position(code: CodeType, span: Span) -> bool:
    return any((line, col, end_line, end_col) == span for line, end_line, col, end_col in code.co_positions())


def _is_within(code: CodeType, span: Span) -> bool:
    start, end = (span.line, span.col), (span.end_line, span.end_col)
    for line, end_line, col, end_col in code.co_positions():
        if (
            line is None
            or end_line is None
            or col is None
            or end_col is None
            or (line, col, end_col) == (code.co_firstlineno, 0, 0)
        ):
            continue
        if not (start <= (line, col) and (end_line, end_col) <= end):
            return False
    return True
