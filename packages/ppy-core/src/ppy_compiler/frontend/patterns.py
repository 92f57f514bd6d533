"""Patterns of ``match``: go on where the subject matches, to a given block where it does not.

Captured names are collected and bound by the caller when the whole pattern has matched, as CPython does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import matching as py
from ppy_compiler.dialects.py import operators as py_operators
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.support.spans import Span


@dataclass(frozen=True, slots=True)
class Matching:
    """One attempt: the function, where a mismatch goes, and the names captured so far."""

    b: FunctionBuilder
    failed: Block
    captures: list[tuple[str, Value, Span]]

    def require(self, test: Value, span: Span, *, negate: bool = False) -> None:
        """Go on where ``test`` holds."""
        passed = self.b.new_block("matched")
        self.b.branch(test, *((self.failed, passed) if negate else (passed, self.failed)), span)
        self.b.enter(passed)

    def require_value(self, value: Value, span: Span) -> Value:
        """Go on where ``value`` is not ``None``."""
        nothing = self.b.emit(py_operators.Is(value, self.b.const(None, span), span=span)).value
        self.require(nothing, span, negate=True)
        return value


def match(m: Matching, pattern: ast.pattern, subject: Value) -> None:
    PATTERNS[type(pattern)](m, pattern, subject)


def _is_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.name is None


def _is_star_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchStar) and pattern.name is None


def _value(m: Matching, node: ast.MatchValue, subject: Value) -> None:
    span = Span.of(node)
    expected = m.b.expr(node.value)
    equal = m.b.emit(py_operators.Compare(subject, expected, kind="==", span=span)).value
    m.require(m.b.truth(equal, span), span)


def _singleton(m: Matching, node: ast.MatchSingleton, subject: Value) -> None:
    span = Span.of(node)
    m.require(m.b.emit(py_operators.Is(subject, m.b.const(node.value, span), span=span)).value, span)


def _capture(m: Matching, name: str | None, value: Value, span: Span) -> None:
    if name is not None:
        m.captures.append((name, value, span))


def _as(m: Matching, node: ast.MatchAs, subject: Value) -> None:
    if node.pattern is not None:
        match(m, node.pattern, subject)
    _capture(m, node.name, subject, Span.of(node))


def _star(m: Matching, node: ast.MatchStar, subject: Value) -> None:
    _capture(m, node.name, subject, Span.of(node))


def _or(m: Matching, node: ast.MatchOr, subject: Value) -> None:
    """Every alternative binds the same names; they meet in the block after."""
    b = m.b
    join = b.new_block("either")
    keys: dict[str, object] = {}
    spans: dict[str, Span] = {}
    for alternative in node.patterns:
        following = b.new_block("alternative")
        attempt = Matching(b, following, [])
        match(attempt, alternative, subject)
        for name, value, span in attempt.captures:
            b.write(keys.setdefault(name, object()), value)
            spans.setdefault(name, span)
        b.jump(join)
        if not b.enter(following):
            break
    b.jump(m.failed)
    b.enter(join)
    for name, key in keys.items():
        m.captures.append((name, b.read(key), spans[name]))


def _length_test(m: Matching, subject: Value, kind: str, length: int, span: Span) -> Value:
    """Compares the subject's length; the length itself."""
    actual = m.b.emit(py.Length(subject, span=span)).value
    test = m.b.emit(py_operators.Compare(actual, m.b.const(length, span), kind=kind, span=span)).value
    m.require(m.b.truth(test, span), span)
    return actual


def _sequence(m: Matching, node: ast.MatchSequence, subject: Value) -> None:
    span, parts = Span.of(node), node.patterns
    star = next((i for i, part in enumerate(parts) if isinstance(part, ast.MatchStar)), None)
    m.require(m.b.emit(py.MatchSequence(subject, span=span)).value, span)
    if star is None:
        _length_test(m, subject, "==", len(parts), span)
    elif len(parts) > 1:
        _length_test(m, subject, ">=", len(parts) - 1, span)
    if all(_is_wildcard(part) or _is_star_wildcard(part) for part in parts):
        return
    if star is not None and _is_star_wildcard(parts[star]):
        _items(m, node, subject, star)
        return
    types = [OBJECT] * len(parts)
    op: py_containers.Unpack | py_containers.UnpackEx
    if star is None:
        op = m.b.emit(py_containers.Unpack(subject, types=types, span=span))
    else:
        op = m.b.emit(py_containers.UnpackEx(subject, before=star, after=len(parts) - star - 1, types=types, span=span))
    for part, item in zip(parts, op.results, strict=True):
        match(m, part, item)


def _items(m: Matching, node: ast.MatchSequence, subject: Value, star: int) -> None:
    """With ``*_`` only the items that are looked at are fetched."""
    b, span = m.b, Span.of(node)
    size = len(node.patterns)
    for position, part in enumerate(node.patterns):
        if position == star or _is_wildcard(part):
            continue
        index = b.const(position, span)
        if position > star:
            length = b.emit(py.Length(subject, span=span)).value
            index = b.emit(py_operators.Binary(length, b.const(size - position, span), kind="-", span=span)).value
        match(m, part, b.emit(py_operators.GetItem(subject, index, span=span)).value)


def _mapping(m: Matching, node: ast.MatchMapping, subject: Value) -> None:
    b, span = m.b, Span.of(node)
    m.require(b.emit(py.MatchMapping(subject, span=span)).value, span)
    if node.keys:
        _length_test(m, subject, ">=", len(node.keys), span)
    elif node.rest is None:
        return
    keys = b.exprs(node.keys)
    key_tuple = b.emit(py_containers.BuildTuple(keys, span=span)).value
    values = m.require_value(b.emit(py.MatchKeys(subject, key_tuple, span=span)).value, span)
    if node.keys:
        unpacked = b.emit(py_containers.Unpack(values, types=[OBJECT] * len(keys), span=span))
        for part, item in zip(node.patterns, unpacked.results, strict=True):
            match(m, part, item)
    if node.rest is not None:
        rest = b.emit(py_containers.BuildDict([], span=span)).value
        b.emit(py_containers.DictUpdate(rest, subject, span=span))
        for key in keys:
            b.emit(py_operators.DelItem(rest, key, span=span))
        _capture(m, node.rest, rest, span)


def _class(m: Matching, node: ast.MatchClass, subject: Value) -> None:
    b, span = m.b, Span.of(node)
    cls = b.expr(node.cls)
    op = py.MatchClass(subject, cls, count=len(node.patterns), kwnames=tuple(node.kwd_attrs), span=span)
    attributes = m.require_value(b.emit(op).value, span)
    parts = [*node.patterns, *node.kwd_patterns]
    unpacked = b.emit(py_containers.Unpack(attributes, types=[OBJECT] * len(parts), span=span))
    for part, item in zip(parts, unpacked.results, strict=True):
        if not _is_wildcard(part):
            match(m, part, item)


PATTERNS: dict[type[ast.pattern], Callable[[Matching, Any, Value], None]] = {
    ast.MatchValue: _value,
    ast.MatchSingleton: _singleton,
    ast.MatchSequence: _sequence,
    ast.MatchMapping: _mapping,
    ast.MatchClass: _class,
    ast.MatchStar: _star,
    ast.MatchAs: _as,
    ast.MatchOr: _or,
}
