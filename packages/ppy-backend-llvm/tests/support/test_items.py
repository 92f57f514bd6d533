"""Items, iteration and calls that link a frame only where somebody could see it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from native_library import context, function, objects
from outcomes import outcome
from sample import Sample


class Asked:
    """Looks at the frame that uses it."""

    def _caller(self) -> str:
        return sys._getframe(2).f_code.co_name

    def __getitem__(self, key: Any) -> str:
        return self._caller()

    def __setitem__(self, key: Any, value: list[str]) -> None:
        value.append(self._caller())

    def __iter__(self) -> Iterator[str]:
        yield self._caller()

    def __index__(self) -> int:
        return len(self._caller()) and 1


class Dict(dict[Any, Any]):
    def __missing__(self, key: Any) -> Any:
        return ("missing", key)


class Native:
    """The operations on an activation of the sample's first function."""

    def __init__(self) -> None:
        self.sample = Sample()
        self.act = ctypes.create_string_buffer(16)
        record = ctypes.c_void_p.from_address(self.sample.unit + 40).value  # ppy_unit.functions
        self.where = (context(), ctypes.addressof(self.act), record, 0)

    def __call__(self, name: str, *args: Any) -> Any:
        try:
            return function(name)(*self.where, *args)
        finally:
            self.linked = any(self.act[0:8])
            function("ppy_act_clear")(*self.where[:2])
            ctypes.memset(self.act, 0, 16)


@pytest.fixture(scope="module")
def native() -> Native:
    return Native()


CONTAINERS: list[Callable[[], Any]] = [
    lambda: [1, 2.5, "x"], lambda: (1, 2, 3), lambda: "abcé", lambda: "", lambda: {1: 2, "a": 3, None: 4, 2.5: 6},
    lambda: Dict({1: 5}), lambda: b"abc", lambda: range(9), lambda: 5, lambda: None,
    lambda: type("L", (list,), {})([1, 2]),
]  # fmt: skip
KEYS: list[Any] = [
    0,
    1,
    -1,
    2,
    -4,
    3,
    2**70,
    True,
    None,
    "a",
    "b",
    2.5,
    slice(1),
    slice(-2, None),
    slice(None, None, -1),
    [],
    Asked(),
]


@pytest.mark.parametrize("make", CONTAINERS)
def test_items_are_the_interpreters(native: Native, make: Callable[[], Any]) -> None:
    for key in KEYS:
        o, other = make(), make()
        assert outcome(native, "ppy_getitem", o, key) == outcome(lambda: other[key])  # noqa: B023
        assert outcome(native, "ppy_setitem", o, key, 7)[1:] == outcome(_store, other, key)[1:]
        assert o == other


def _store(o: Any, key: Any) -> int:
    o[key] = 7
    return 0


def test_only_python_code_needs_the_frame(native: Native) -> None:
    seen: list[str] = []
    assert native("ppy_getitem", Asked(), 1) == "<module>" and native.linked
    assert native("ppy_setitem", Asked(), 1, seen) == 0 and seen == ["<module>"]
    assert native("ppy_getitem", [1, 2], Asked()) == 2 and native.linked
    for o, key in (([1], 0), ((1,), -1), ("a", 0), ({1: 2}, 1), ("abc", slice(1))):
        native("ppy_getitem", o, key)
        assert not native.linked
    for a, b, linked in ((1, 2, False), ({}, 1, False), (1, Asked(), True), ([], 1, True), ("%s", (1,), True)):
        native("ppy_frame_enter_for", a, b)
        assert native.linked is linked
    for callable_, args, linked in (
        (len, ("a",), False),
        (str.upper, ("a",), False),
        (print, (), True),
        (Asked, (), True),
    ):
        vector = objects(*args, None)
        native("ppy_frame_enter_call", callable_, ctypes.addressof(vector), len(args))
        assert native.linked is linked


def test_iteration(native: Native) -> None:
    for iterable in ([1, 2], (1, 2), {1: 2}, {3}, "é", range(2), {1: 2}.items(), enumerate([5]), Asked()):
        iterator, got = iter(iterable), []
        out = (ctypes.c_void_p * 1)()
        while native("ppy_next", iterator, ctypes.addressof(out)) == 1:
            got.append(ctypes.cast(out, ctypes.POINTER(ctypes.py_object))[0])
            ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(out[0]))
        wanted = {Asked: ["<module>"], enumerate: [(0, 5)]}.get(type(iterable))
        assert got == (list(iterable) if wanted is None else wanted)
