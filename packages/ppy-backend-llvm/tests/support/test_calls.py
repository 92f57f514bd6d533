"""Calls with stars, methods, super, with statements, and which calls cannot look at frames."""

from __future__ import annotations

import ctypes
import math
import sys
import time
import types
from collections.abc import Mapping
from typing import Any

import pytest
from native_library import function, objects
from outcomes import outcome, python
from test_operations import ITERABLES, Bad, broken, out_array, taken


class Pairs(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return {"x": 1, "y": 2}[key]

    def __iter__(self) -> Any:
        return iter(["x", "y"])

    def __len__(self) -> int:
        return 2


def target(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


@pytest.mark.parametrize("args", ITERABLES, ids=repr)
def test_calls_with_stars(args: Any) -> None:
    for kwargs in (None, {}, {"x": 1}, Pairs(), {1: 2}, 5, Bad()):
        native = outcome(function("ppy_call_ex"), target, args, kwargs) if kwargs is not None else None
        if native is not None:
            assert native == outcome(
                python, "result = target(*args, **kwargs)", target=target, args=args, kwargs=kwargs
            )
    for callee in (len, "text", None):
        expected = outcome(python, "result = f(*args, **{})", f=callee, args=args)
        assert outcome(function("ppy_call_ex"), callee, args, {}) == expected


def test_repeated_keywords() -> None:
    def native(first: Any, second: Any) -> Any:
        made: dict[Any, Any] = {}
        function("ppy_dict_merge")(made, first, target)
        function("ppy_dict_merge")(made, second, target)
        return target(**made)

    for first, second in [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 2}),
        ({"a": 1}, 5),
        (Pairs(), Pairs()),
        ({"a": 1}, Bad()),
    ]:
        reference = outcome(python, "result = target(**first, **second)", target=target, first=first, second=second)
        assert outcome(native, first, second) == reference


def test_methods_and_super() -> None:
    class Base:
        def greet(self) -> str:
            return "base"

    class Derived(Base):
        value = 3

        def greet(self) -> str:
            return "derived"

    derived = Derived()
    assert function("ppy_super")(types.CellType(Derived), derived).greet() == "base"
    with pytest.raises(RuntimeError, match="empty __class__ cell"):
        function("ppy_super")(types.CellType(), derived)


class Manager:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def __enter__(self) -> str:
        return "entered"

    def __exit__(self, *args: Any) -> bool:
        self.seen.append(args)
        return True


def test_with_statements() -> None:
    array = out_array(1)
    manager = Manager()
    assert function("ppy_with_enter")(manager, ctypes.cast(array, ctypes.c_void_p)) == "entered"
    (leave,) = taken(array, 1)
    error = ValueError("x")
    assert function("ppy_with_exit")(leave, error) is True
    assert function("ppy_with_exit")(leave, None) is True
    assert manager.seen == [(ValueError, error, None), (None, None, None)]
    for value in (5, type("HalfManager", (), {"__enter__": Manager.__enter__})()):
        native = outcome(function("ppy_with_enter"), value, ctypes.cast(array, ctypes.c_void_p))
        assert native == outcome(python, "with value: pass", value=value)


def blind(callable_: Any, *args: Any) -> int:
    answer: int = function("ppy_frame_blind")(callable_, objects(*args), len(args))
    return answer


def test_calls_that_cannot_look_at_frames() -> None:
    for call in [
        (len, [1]),
        (len, "x"),
        (abs, -1),
        (ord, "a"),
        (chr, 5),
        ([].append, print),
        (list.append, [], print),
        ("a".upper,),
        (str.upper, "a"),
        (math.sin, 1.0),
        (math.gcd, 3, 4),
        (range, 3),
        (int, "5"),
        (float, 1),
        (str, 2.5),
        (isinstance, 1, int),
        (time.perf_counter,),
        ({}.get, "a"),
        (dict.get, {}, "a"),
        ({}.items,),
        (min, 1, 2),
        (id, object()),
        (round, 1.5, 1),
    ]:
        assert blind(*call) == 1, call
    for call in [
        (len, Bad()),
        (print, 1),
        (str, Bad()),
        (globals,),
        (sys._getframe,),
        (lambda: 1,),
        ("".join, broken()),
        (sorted, [3]),
        (abs, Bad()),
        (isinstance, 1, Mapping),
        ({}.get, Bad()),
        (eval, "1"),
        (map, abs, []),
        (Bad,),
        (min, Bad(), 1),
        (5,),
        (locals,),
    ]:
        assert blind(*call) == 0, call
