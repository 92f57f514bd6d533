"""Tests for records (dataclasses, named tuples, typed dicts) and for classes in general, generic ones included."""

from __future__ import annotations

import collections.abc as abc
import dataclasses
import typing
from typing import Any

from .core import Active, Test, Validator, describe, expected, filled, guarded, instance_test


def test_of(wanted: Any, validator: Validator) -> Test | None:
    """The test of a type of this group, or None."""
    cls = typing.get_origin(wanted) or wanted
    if not isinstance(cls, type):
        return None
    if typing.is_typeddict(cls):
        return _typed_dict(cls, wanted, validator)
    if dataclasses.is_dataclass(cls):
        names = [field.name for field in dataclasses.fields(cls)]
        return _fields(cls, names, wanted, validator)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _fields(cls, list(cls._fields), wanted, validator)
    if getattr(cls, "_is_protocol", False) and not getattr(cls, "_is_runtime_protocol", False) and not _is_abc(cls):
        raise TypeError(f"check: {describe(wanted)} is a protocol that is not runtime_checkable")
    return instance_test(cls, describe(wanted))


def _is_abc(cls: type) -> bool:
    """The protocols of ``collections.abc`` (Iterable, Sized ...) are checked as the abstract classes they are."""
    return cls.__module__ in ("collections.abc", "contextlib") or cls in vars(abc).values()


def _hints(cls: Any, wanted: Any) -> dict[str, Any]:
    """The annotations of a class, with the arguments of a generic one put in."""
    hints = typing.get_type_hints(cls, include_extras=True)
    variables = dict(zip(getattr(cls, "__parameters__", ()), typing.get_args(wanted), strict=False))
    return {name: filled(hint, variables) for name, hint in hints.items()}


def _lazily(cls: Any, wanted: Any, validator: Validator) -> abc.Callable[[], dict[str, Test]]:
    """The tests of a class's annotations, made at the first value: a class may mention itself, or one defined later."""
    made: dict[str, Test] = {}

    def tests() -> dict[str, Test]:
        if not made:
            made.update({name: validator(hint) for name, hint in _hints(cls, wanted).items()})
        return made

    return tests


def _fields(cls: type, names: list[str], wanted: Any, validator: Validator) -> Test:
    tests, text = _lazily(cls, wanted, validator), describe(wanted)

    def test(value: Any, path: str, active: Active) -> str | None:
        if not isinstance(value, cls):
            return expected(path, text, value)
        known = tests()
        for name in names:
            try:
                item = getattr(value, name)
            except AttributeError:
                return f"{path}.{name}: the {text} has no such attribute"
            if name in known:
                problem = known[name](item, f"{path}.{name}", active)
                if problem is not None:
                    return problem
        return None

    return guarded(test)


def _typed_dict(cls: Any, wanted: Any, validator: Validator) -> Test:
    """Keys beyond the declared ones are allowed, as type checkers allow them. What is required is asked of the
    evaluated annotations: under ``from __future__ import annotations`` the class itself has not understood them."""
    tests, text = _lazily(cls, wanted, validator), describe(wanted)
    required: set[str] = set()

    def test(value: Any, path: str, active: Active) -> str | None:
        if not isinstance(value, dict):
            return expected(path, text, value)
        if not required:
            required.update(name for name, hint in _hints(cls, wanted).items() if _is_required(cls, name, hint))
        for name, inner in tests().items():
            if name in value:
                problem = inner(value[name], f"{path}[{name!r}]", active)
                if problem is not None:
                    return problem
            elif name in required:
                return f"{path}: the {text} has no key {name!r}"
        return None

    return guarded(test)


def _is_required(cls: Any, name: str, hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin is getattr(typing, "ReadOnly", typing.Required) and origin is not typing.Required:
        return _is_required(cls, name, typing.get_args(hint)[0])
    if origin in (typing.Required, typing.NotRequired):
        return origin is typing.Required
    return name in cls.__required_keys__
