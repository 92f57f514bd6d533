"""Raising, matching and the handled exception."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.exceptions import (
    ExcGroupMatch,
    ExcMatch,
    LoadAssertionError,
    PopExc,
    PrepReraiseStar,
    PushExc,
    Raise,
    Reraise,
)
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import CLASS, INSTANCE, NONE, OTHER, TUPLE
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact, boolean, named, of_types

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

EXCEPTION = of_types(INSTANCE | OTHER)
"""What an unwind edge brings."""


def raising(op: Raise, env: FunctionAnalysis) -> Answer:
    return (), fx.ANYTHING


def reraise(op: Reraise, env: FunctionAnalysis) -> Answer:
    return (), fx.RAISES | fx.OBJECTS


def push(op: PushExc, env: FunctionAnalysis) -> Answer:
    return (of_types(INSTANCE | OTHER | NONE),), fx.OBJECTS


def pop(op: PopExc, env: FunctionAnalysis) -> Answer:
    # The handled exception is let go; its finalizer, and those of the frames it holds, may run.
    return (), fx.RELEASES | fx.OBJECTS


def is_exception_class(fact: Fact) -> bool:
    """Whether the value certainly is a built-in exception class, or a tuple of such."""
    if fact.only(TUPLE) and fact.items is not None:
        return all(map(is_exception_class, fact.items))
    if not fact.only(CLASS) or not fact.name.startswith("builtins."):
        return False
    found = getattr(builtins, fact.name.removeprefix("builtins."), None)
    return isinstance(found, type) and issubclass(found, BaseException)


def match(op: ExcMatch, env: FunctionAnalysis) -> Answer:
    pattern = env.fact(op.pattern)
    if not pattern.types:
        return (NEVER,), fx.QUIET
    return (boolean(),), fx.OBJECTS if is_exception_class(pattern) else fx.ANYTHING


def group_match(op: ExcGroupMatch, env: FunctionAnalysis) -> Answer:
    part = of_types(INSTANCE | OTHER | NONE)
    return (part, part), fx.ANYTHING


def prepare(op: PrepReraiseStar, env: FunctionAnalysis) -> Answer:
    return (of_types(INSTANCE | OTHER | NONE),), fx.ANYTHING


def assertion_error(op: LoadAssertionError, env: FunctionAnalysis) -> Answer:
    return (named(CLASS, "builtins.AssertionError"),), fx.OBJECTS


TABLE = {
    Raise: raising,
    Reraise: reraise,
    PushExc: push,
    PopExc: pop,
    ExcMatch: match,
    ExcGroupMatch: group_match,
    PrepReraiseStar: prepare,
    LoadAssertionError: assertion_error,
}
__all__ = ["EXCEPTION", "OBJECT", "TABLE"]
