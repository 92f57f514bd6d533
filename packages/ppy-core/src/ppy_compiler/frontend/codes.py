"""Matching blocks of code to the code objects that CPython's compiler made for them.

A code object is known by its *path*: the indices into nested ``co_consts`` that lead to it from the module's. Its
parent, name and first line nearly always tell it; lambdas and comprehensions on one line are told apart by their
parameters, by the positions of their instructions and, where CPython 3.12 keeps none, by what they return. CPython
drops code that cannot run, so there may be none.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any

from ppy_compiler.support.spans import Span

Path = tuple[int, ...]
Candidate = tuple[int, CodeType]


def code_paths(code: CodeType, path: Path = ()) -> Iterator[tuple[Path, CodeType]]:
    """``code`` and all code objects in it, each with its path, parents first."""
    yield path, code
    for index, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from code_paths(constant, (*path, index))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is known of the block whose code object is sought.

    It computes at one of ``spans``, the most telling first; ``returns`` holds the constant that is all it does.
    """

    name: str
    line: int
    params: Sequence[str]
    spans: Sequence[Span]
    returns: tuple[Any] | None = None


class CodeIndex:
    """The code objects directly inside each one, by name and first line."""

    def __init__(self) -> None:
        self._children: dict[int, dict[tuple[str, int], list[Candidate]]] = {}
        self._keep: list[CodeType] = []

    def find(self, parent: CodeType, wanted: Wanted) -> Candidate | None:
        """Index and code object of the block."""
        candidates = self._of(parent).get((wanted.name, wanted.line), [])
        if len(candidates) > 1:
            params = tuple(wanted.params)
            candidates = [c for c in candidates if c[1].co_varnames[: len(params)] == params] or candidates
        if len(candidates) > 1:
            for test in _tests(wanted):
                for candidate in candidates:
                    if test(candidate[1]):
                        return candidate
        return candidates[0] if candidates else None

    def _of(self, parent: CodeType) -> dict[tuple[str, int], list[Candidate]]:
        children = self._children.get(id(parent))
        if children is None:
            children = self._children[id(parent)] = {}
            self._keep.append(parent)
            for index, constant in enumerate(parent.co_consts):
                if isinstance(constant, CodeType):
                    children.setdefault((constant.co_name, constant.co_firstlineno), []).append((index, constant))
        return children


def _tests(wanted: Wanted) -> Iterator[Callable[[CodeType], bool]]:
    for span in wanted.spans:
        yield partial(_has, span)
    if wanted.returns is not None:
        yield partial(_returns, *wanted.returns)
    for span in wanted.spans:
        yield partial(_is_within, span)


def _has(span: Span, code: CodeType) -> bool:
    return span in _positions(code)


def _is_within(span: Span, code: CodeType) -> bool:
    positions = _positions(code)
    return bool(positions) and all(map(span.contains, positions))


def _positions(code: CodeType) -> list[Span]:
    """Where the code's instructions stand, but for those that begin or end it."""
    places = [
        Span(line, col, end_line, end_col)
        for line, end_line, col, end_col in code.co_positions()
        if not (line is None or end_line is None or col is None or end_col is None)
    ]
    return [place for place in places if not (place.is_empty and place.line == code.co_firstlineno)]


def _returns(constant: Any, code: CodeType) -> bool:
    returned = [i.argval for i in dis.get_instructions(code) if i.opname in ("RETURN_CONST", "LOAD_CONST")]
    return [(type(value), repr(value)) for value in returned] == [(type(constant), repr(constant))]
