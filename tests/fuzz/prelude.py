"""What generated programs stand on: a call that shows everything one can see of it. Copied in front of each program."""

from __future__ import annotations

import gc
import sys
import traceback
import warnings
import weakref  # noqa: F401 (the programs use it)
from collections.abc import Callable
from typing import Any

gc.freeze()
warnings.simplefilter("ignore")
sys.set_int_max_str_digits(0)
PRIME = (1 << 89) - 1
HUGE = 1 << 256
MAX = (1 << 63) - 1
MIN = -(1 << 63)
WORD = (1 << 64) - 1
counter = 0


def shown(value: Any) -> str:
    """The value and its exact type; of large integers a digest; an object by its class and number."""
    kind = type(value)
    if kind is int and not -HUGE < value < HUGE:
        return f"int~{value % PRIME}:{value.bit_length()}"
    if kind in (list, tuple):
        return f"{kind.__name__}({', '.join(map(shown, value))})"
    if kind is dict:
        return "dict(" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + ")"
    if kind in (int, float, bool, str, bytes, type(None), range, slice, complex):
        return f"{kind.__name__} {value!r}"
    return f"<{kind.__name__}>"


def error_text(error: BaseException | None, depth: int = 0) -> str:
    """Type, message, lines and the chain of contexts."""
    if error is None or depth > 6:
        return ""
    lines = [f"{f.lineno}:{f.name}" for f in traceback.extract_tb(error.__traceback__)]
    links = error_text(error.__cause__, depth + 1), error_text(error.__context__, depth + 1)
    return f"{type(error).__name__}({error}) at {' '.join(lines)} [{links[0]}|{links[1]}|{error.__suppress_context__}]"


def attempt(function: Callable[..., Any], *args: Any) -> None:
    """Calls, and prints what came of it and what became of the arguments."""
    global counter
    counter = 0
    try:
        text = shown(function(*args))
    except Exception as error:
        text = error_text(error)
        error.__traceback__ = error.__context__ = error.__cause__ = None
    gc.collect()  # what a traceback kept in a cycle
    print(function.__name__, text, "<-", *map(shown, args), "#", counter)


def tick(value: Any = None) -> Any:
    """An effect: counts, and shows its argument now and then."""
    global counter
    counter += 1
    if counter % 7 == 1:
        print("tick", counter, shown(value))
    if counter > 400:
        raise RuntimeError("no fuel")
    return value


class D:
    """Prints when it dies."""

    def __init__(self, number: Any) -> None:
        self.number = number
        self.other: Any = None

    def __del__(self) -> None:
        print("gone", shown(self.number))

    def add(self, value: Any) -> Any:
        self.number = value
        return self

    def __add__(self, other: Any) -> Any:
        tick(other)
        return self

    def __bool__(self) -> bool:
        tick("bool")
        return bool(self.number)

    def __getitem__(self, key: Any) -> Any:
        if key == 3:
            raise IndexError(key)
        return D((self.number, key))


class M:
    """A context manager that sometimes swallows what is raised."""

    def __init__(self, number: Any) -> None:
        self.number = number

    def __enter__(self) -> Any:
        tick(("enter", self.number))
        return self.number

    def __exit__(self, kind: Any, error: Any, tb: Any) -> bool:
        tick(("exit", kind and kind.__name__))
        return kind is not None and self.number % 3 == 0


class Sub(int):
    """An int that is not exactly one."""
