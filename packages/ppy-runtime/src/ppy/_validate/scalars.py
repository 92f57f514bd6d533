"""Tests for single values: plain classes, None, Any, unions, literals, ``type[C]``, callables."""

from __future__ import annotations

import collections.abc
import types
import typing
from typing import Any

from .core import Active, Test, Validator, describe, expected, instance_test

_ANYTHING = (Any, object)


def test_of(wanted: Any, validator: Validator) -> Test | None:
    """The test of a type of this group, or None."""
    if any(wanted is anything for anything in _ANYTHING):
        return lambda value, path, active: None
    if wanted is None or wanted is type(None):
        return lambda value, path, active: None if value is None else expected(path, "None", value)
    if wanted is float or wanted is complex:
        return instance_test(wanted)
    origin = typing.get_origin(wanted)
    if origin is typing.Union or isinstance(wanted, types.UnionType):
        return _union(wanted, validator)
    if origin is typing.Literal:
        return _literal(typing.get_args(wanted))
    if origin is type:
        return _class_of(wanted, validator)
    if origin is collections.abc.Callable or wanted is typing.Callable:
        return lambda value, path, active: None if callable(value) else expected(path, "a callable", value)
    if isinstance(wanted, typing.NewType):
        return validator(wanted.__supertype__)
    return None


def _union(wanted: Any, validator: Validator) -> Test:
    members = [(member, validator(member)) for member in typing.get_args(wanted)]
    text = " | ".join(describe(member) for member, _ in members)

    def test(value: Any, path: str, active: Active) -> str | None:
        deeper: list[str] = []
        for _, inner in members:
            problem = inner(value, path, active)
            if problem is None:
                return None
            if not problem.startswith(f"{path}: "):
                deeper.append(problem)
        # One member fits on the outside: what is wrong inside says more than the whole union.
        return deeper[0] if len(deeper) == 1 else expected(path, text, value)

    return test


def _literal(choices: tuple[Any, ...]) -> Test:
    text = f"one of {', '.join(map(repr, choices))}" if len(choices) > 1 else repr(choices[0])

    def test(value: Any, path: str, active: Active) -> str | None:
        for choice in choices:
            if type(choice) is type(value) and choice == value:
                return None
        return expected(path, text, value)

    return test


def _class_of(wanted: Any, validator: Validator) -> Test:
    (argument,) = typing.get_args(wanted)
    bounds = typing.get_args(argument) or (argument,)
    if isinstance(argument, typing.TypeVar):
        bounds = argument.__constraints__ or (argument.__bound__ or object,)
    classes = tuple(typing.get_origin(bound) or bound for bound in bounds)
    if Any in classes:
        return instance_test(type, "a class")

    def test(value: Any, path: str, active: Active) -> str | None:
        if isinstance(value, type) and issubclass(value, classes):
            return None
        return expected(path, describe(wanted), value)

    return test
