"""Structural pattern matching."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

from ppy_compiler.dialects.py import matching
from ppy_compiler.dialects.py.reference.instructions import instruction, match_keys, unseen
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference

SEQUENCE, MAPPING = 1 << 5, 1 << 6
"""Type flags."""


@unseen
def is_sequence(subject: object) -> bool:
    return bool(type(subject).__flags__ & SEQUENCE)


@unseen
def is_mapping(subject: object) -> bool:
    return bool(type(subject).__flags__ & MAPPING)


@cache
def class_matcher(count: int) -> Callable[..., Any]:
    """``class_matcher(count)(subject, cls, names)``."""
    return instruction(3, ("MATCH_CLASS", count))


def match_class(op: matching.MatchClass, e: Emitter) -> Meaning:
    names: Any = op.kwnames
    return e.call(class_matcher(op.count), e.value(op.subject), e.value(op.cls), ast.Constant(names))


TABLE = {
    matching.MatchSequence: Reference(lambda op, e: e.call(is_sequence, e.value(op.subject))),
    matching.MatchMapping: Reference(lambda op, e: e.call(is_mapping, e.value(op.subject))),
    matching.MatchClass: Reference(match_class),
    matching.MatchKeys: Reference(lambda op, e: e.call(match_keys, *e.values(op.operands))),
    matching.Length: Reference(lambda op, e: e.call(len, e.value(op.argument))),
}
