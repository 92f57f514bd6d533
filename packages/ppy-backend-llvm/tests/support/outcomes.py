"""Comparing what native code and Python do: the value with its type, or the exception with its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def outcome(call: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """What a call comes to."""
    try:
        value = call(*args, **kwargs)
    except BaseException as error:
        return type(error), str(error), type(error.__cause__), error.__suppress_context__
    return type(value), value


def python(source: str, **names: Any) -> Any:
    """Runs statements and returns their ``result``."""
    namespace = dict(names)
    exec(source, namespace)
    return namespace.get("result")
