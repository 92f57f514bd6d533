"""What all tests share: their type, the wording of types and values, the guard against data containing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Active = dict[tuple[int, int], object]
"""The (value, test) pairs under way."""
Test = Callable[[Any, str, Active], str | None]
Validator = Callable[[Any], Test]


def describe(wanted: Any) -> str:
    """A type as a person writes it."""
    if wanted is type(None):
        return "None"
    if isinstance(wanted, type) and not hasattr(wanted, "__args__"):
        return wanted.__qualname__
    return str(wanted).replace("typing.", "").replace("collections.abc.", "")


def show(value: Any) -> str:
    """A value by type and a short text that never fails and never is long."""
    try:
        text = repr(value)
    except Exception:  # a broken __repr__ must not hide what is being reported
        text = "<no repr>"
    if len(text) > 60:
        text = text[:57] + "..."
    return f"{type(value).__qualname__} ({text})" if value is not None else "None"


def expected(path: str, wanted: str, value: Any) -> str:
    """The sentence for a value of another type."""
    return f"{path}: expected {wanted}, got {show(value)}"


def filled(hint: Any, variables: Mapping[Any, Any]) -> Any:
    """``hint`` with type variables replaced by what a generic was subscripted with."""
    if isinstance(hint, TypeVar):
        return variables.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    if not variables or not parameters:
        return hint
    return hint[tuple(variables.get(parameter, parameter) for parameter in parameters)]


def instance_test(cls: type, wanted: str | None = None) -> Test:
    """The test for instances of ``cls``."""
    text = wanted or describe(cls)

    def test(value: Any, path: str, active: Active) -> str | None:
        return None if isinstance(value, cls) else expected(path, text, value)

    return test


def guarded(test: Test) -> Test:
    """``test``, which looks inside its value, made to end on values that contain themselves."""

    def run(value: Any, path: str, active: Active) -> str | None:
        key = (id(value), id(test))
        if key in active:
            return None
        active[key] = value
        try:
            return test(value, path, active)
        finally:
            del active[key]

    return run
