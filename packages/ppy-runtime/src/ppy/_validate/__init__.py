"""From a type to a function that validates values against it.

A *test* takes a value, the path by which it was reached and the set of pairs already under way (so that data which
contains itself ends), and returns None or one sentence about the first part that does not fit. ``validator`` finds the
test of a type: by what kind of type it is, one module for each group of kinds.

A value is what T says when code that was typed with T may rely on it: so an ``int`` is not a ``float`` although type
checkers let it pass, while a ``bool`` is an ``int`` because every operation on it is.
"""

from __future__ import annotations

import functools
import operator
import typing
from collections.abc import Callable
from typing import Any

from . import containers, records, refinements, scalars
from .core import Active, Test, Validator, describe, filled

_FAMILIES: tuple[Callable[[Any, Validator], Test | None], ...] = (
    scalars.test_of,
    refinements.test_of,
    containers.test_of,
    records.test_of,
)
_cache: dict[Any, Test] = {}


def validator(wanted: Any) -> Test:
    """The test of ``wanted``; TypeError when it is nothing that a value can be tested against."""
    try:
        known = _cache.get(_key(wanted))
    except TypeError:  # an unhashable argument, as Literal or Annotated may carry
        return _make(wanted)
    if known is None:
        known = _make(wanted)
        _cache[_key(wanted)] = known
    return known


def _key(wanted: Any) -> Any:
    """``wanted`` as a key: types that compare equal although they differ (``Literal[1]``, ``Literal[True]``; unions in
    another order) keep apart by their text."""
    return wanted if isinstance(wanted, type) else (wanted, repr(wanted))


def _make(wanted: Any) -> Test:
    for test_of in _FAMILIES:
        test = test_of(wanted, validator)
        if test is not None:
            return test
    alias = typing.get_origin(wanted) or wanted
    if type(alias).__name__ == "TypeAliasType":
        return _alias(alias, typing.get_args(wanted))
    if isinstance(wanted, typing.TypeVar):
        return _type_variable(wanted)
    raise TypeError(f"check: {describe(wanted)} is not a type that a value can be checked against")


def _alias(alias: Any, arguments: tuple[Any, ...]) -> Test:
    """A ``type`` statement's alias may mention itself: look at its value when there is a value to test."""
    variables = dict(zip(alias.__type_params__, arguments, strict=False))

    def test(value: Any, path: str, active: Active) -> str | None:
        test = validator(filled(alias.__value__, variables))
        return test(value, path, active)

    return test


def _type_variable(variable: typing.TypeVar) -> Test:
    if variable.__constraints__:
        return validator(functools.reduce(operator.or_, variable.__constraints__))  # as one union
    return validator(object if variable.__bound__ is None else variable.__bound__)
