"""Operations without a C-API function of their own against the statements that mean the same."""

from __future__ import annotations

import ctypes
import math
import operator
import sys
import types
from typing import Any

import pytest
from native_library import function, objects
from outcomes import outcome, python


class Bad:
    """Fails wherever it is used."""

    def __iter__(self) -> Any:
        raise TypeError("inside __iter__")

    def keys(self) -> Any:
        raise AttributeError("inside keys")

    def __bool__(self) -> bool:
        raise ValueError("inside __bool__")

    def __lt__(self, other: object) -> Any:
        return self


class Sequence:
    """Iterable through __getitem__ only."""

    def __getitem__(self, index: int) -> int:
        if index < 3:
            return index
        raise IndexError


def broken() -> Any:
    yield 1
    raise KeyError("inside")


ITERABLES = [(), (1,), [1, 2], (1, 2, 3), "ab", {1: 2, 3: 4}, range(5), None, 5, Bad(), Sequence(), 1.5, {7}]


def out_array(size: int) -> Any:
    return (ctypes.py_object * size)()


def taken(array: Any, size: int) -> list[Any]:
    """The objects whose references the call gave to the array."""
    addresses = ctypes.cast(array, ctypes.POINTER(ctypes.c_void_p))
    values = [array[i] for i in range(size)]
    for i in range(size):
        ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(addresses[i]))
        addresses[i] = None
    return values


@pytest.mark.parametrize("value", [*ITERABLES, "generator"], ids=repr)
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_unpacking(value: Any, count: int) -> None:
    def fresh() -> Any:
        return broken() if value == "generator" else value

    def native() -> list[Any]:
        array = out_array(count + 1)
        function("ppy_unpack_sequence")(fresh(), count, array)
        return taken(array, count)

    def reference() -> Any:
        names = [f"v{i}" for i in range(count)]
        return python(f"[{', '.join(names)}] = value\nresult = [{', '.join(names)}]", value=fresh())

    assert outcome(native) == outcome(reference)


@pytest.mark.parametrize("value", [*ITERABLES, "generator"], ids=repr)
@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2)])
def test_starred_unpacking(value: Any, before: int, after: int) -> None:
    def fresh() -> Any:
        return broken() if value == "generator" else value

    def native() -> list[Any]:
        array = out_array(before + after + 1)
        function("ppy_unpack_ex")(fresh(), before, after, array)
        return taken(array, before + after + 1)

    def reference() -> Any:
        names = [f"b{i}" for i in range(before)] + ["*rest"] + [f"a{i}" for i in range(after)]
        plain = ", ".join(names).replace("*", "")
        return python(f"[{', '.join(names)}] = value\nresult = [{plain}]", value=fresh())

    assert outcome(native) == outcome(reference)


@pytest.mark.parametrize("value", ITERABLES, ids=repr)
def test_displays_with_stars(value: Any) -> None:
    def extend() -> Any:
        made = [0]
        function("ppy_list_extend")(made, value)
        return made

    def update() -> Any:
        made = {0}
        function("ppy_set_update")(made, value)
        return made

    def merge() -> Any:
        made = {0: 0}
        function("ppy_dict_update")(made, value)
        return made

    assert outcome(extend) == outcome(python, "result = [0, *value]", value=value)
    assert outcome(update) == outcome(python, "result = {0, *value}", value=value)
    assert outcome(merge) == outcome(python, "result = {0: 0, **value}", value=value)


def test_making_containers() -> None:
    values = (1, "a", (2,), None)
    assert function("ppy_make_list")(objects(*values), 4) == list(values)
    assert function("ppy_make_tuple")(objects(*values), 4) == values
    assert function("ppy_make_set")(objects(*values), 4) == set(values)
    assert function("ppy_make_dict")(_pairs({1: 2, "a": "b"}), 2) == {1: 2, "a": "b"}
    assert outcome(function("ppy_make_set"), objects([]), 1) == outcome(python, "result = {v}", v=[])
    assert function("ppy_make_tuple")(objects(), 0) == ()


def _pairs(mapping: dict[Any, Any]) -> Any:
    signature_name = [value for pair in mapping.items() for value in pair]
    return (ctypes.py_object * len(signature_name))(*signature_name)


def test_iteration() -> None:
    def native(iterator: Any) -> list[Any]:
        seen = []
        array = out_array(1)
        while function("ppy_iter_next")(iterator, array) == 1:
            seen += taken(array, 1)
        return seen

    for make in (lambda: iter([1, 2]), lambda: iter(Sequence()), broken, lambda: iter(int, 0), lambda: iter({1: 2})):
        assert outcome(native, make()) == outcome(list, make())


SLICED: list[tuple[Any, Any, Any]] = [
    ([1, 2, 3], 0, 2),
    ("abc", None, -1),
    ((1, 2), 5, None),
    ({}, 1, 2),
    ([1], "a", None),
    (5, 1, 2),
]


@pytest.mark.parametrize(("value", "start", "stop"), SLICED)
def test_slices(value: Any, start: Any, stop: Any) -> None:
    source = "result = value[start:stop]"
    assert outcome(function("ppy_get_slice"), value, start, stop) == outcome(
        python, source, value=value, start=start, stop=stop
    )

    def native(copy: Any) -> Any:
        function("ppy_set_slice")(copy, start, stop, [9])
        return copy

    def fresh() -> Any:
        return list(value) if isinstance(value, list) else value

    source = "value[start:stop] = [9]; result = value"
    assert outcome(native, fresh()) == outcome(python, source, value=fresh(), start=start, stop=stop)


VALUES = [1, 2.5, -0.0, math.nan, "a", None, [1], (1,), {}, True, False, 0, "", Bad(), 2**70]
COMPARE = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


def test_truth_and_comparison() -> None:
    for a in VALUES:
        assert outcome(lambda o: bool(function("ppy_truth")(o)), a) == outcome(bool, a)
        assert outcome(function("ppy_not"), a) == outcome(operator.not_, a)
        for b in VALUES:
            for op, reference in enumerate(COMPARE):
                native = outcome(lambda x, y, o: bool(function("ppy_compare_truth")(x, y, o)), a, b, op)
                assert native == outcome(lambda x, y, r: bool(r(x, y)), a, b, reference)


class Odd:
    def __format__(self, spec: str) -> str:
        return f"<{spec}>"

    def __str__(self) -> str:
        return "odd"


def test_formatting() -> None:
    for value in [1, -2.5, "é", None, Odd(), [1]]:
        for conversion in ("", "s", "r", "a"):
            for spec in (None, "", ">8", "d"):
                source = f"result = f'{{value{'!' + conversion if conversion else ''}{':' + spec if spec else ''}}}'"
                code = ord(conversion) if conversion else 0
                native = _format(value, code, spec)
                assert native == outcome(python, source, value=value), (value, conversion, spec)
    parts = ("a", "", "é", "\U0001f600")
    assert function("ppy_build_string")(objects(*parts), 4) == "".join(parts)
    assert function("ppy_build_string")(objects(), 0) == ""
    assert function("ppy_str_from_code")(0x1F600) == "\U0001f600"
    assert outcome(function("ppy_str_from_code"), 0x110000) == outcome(chr, 0x110000)


def _format(value: Any, conversion: int, spec: str | None) -> tuple[Any, ...]:
    if spec is not None:
        return outcome(function("ppy_format"), value, conversion, spec)
    call = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_int, ctypes.c_void_p)
    address = ctypes.cast(function("ppy_format"), ctypes.c_void_p).value
    assert address is not None
    return outcome(call(address), value, conversion, None)


def test_layout_reads() -> None:
    array = [10, 20, 30]
    for index in range(-5, 5):
        found = function("ppy_list_index")(array, index)
        assert found == (id(array[index]) if -3 <= index < 3 else None)
        found = function("ppy_tuple_index")(tuple(array), index)
        assert found == (id(array[index]) if -3 <= index < 3 else None)
        for text in ("abc", "aéc", "a\u20acc", "a\U0001f600c"):
            word = function("ppy_str_at")(text, index)
            assert (word.ok, word.value) == ((1, ord(text[index])) if -3 <= index < 3 else (0, 0))
        word = function("ppy_bytes_at")(b"a\xffc", index)
        assert (word.ok, word.value) == ((1, b"a\xffc"[index]) if -3 <= index < 3 else (0, 0))
    sizes = {"list": [1, 2], "tuple": (1,), "dict": {1: 2, 3: 4, 5: 6}, "str": "é\u20ac", "bytes": b"abcd"}
    for name, value in sizes.items():
        assert function(f"ppy_{name}_size")(value) == len(value)


def test_exact_types() -> None:
    class SubInt(int):
        pass

    values = {"int": 1, "float": 1.0, "bool": True, "str": "", "list": [], "tuple": (), "dict": {}, "none": None}
    for name in values:
        for other, value in values.items():
            assert function(f"ppy_is_{name}")(value) == (name == other)
    assert function("ppy_is_int")(SubInt(1)) == 0
    assert function("ppy_is_type")(SubInt(1), SubInt) == 1


def test_lists_change_in_place() -> None:
    made: list[Any] = []
    for i in range(1000):
        assert function("ppy_list_append")(made, f"item {i}") == 0
    assert made == [f"item {i}" for i in range(1000)]
    item = object()
    before = sys.getrefcount(item)
    for index, answer in ((0, 0), (-1, 0), (1000, 1), (-1001, 1)):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))
        assert function("ppy_list_store")(made, index, item) == answer
    assert sys.getrefcount(item) == before + 2
    assert made[0] is made[-1] is item


def test_cells() -> None:
    cell = types.CellType(5)
    assert function("ppy_cell_load")(cell, "x", 0) == 5
    assert function("ppy_cell_peek")(cell) == id(5)
    value = object()
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
    function("ppy_cell_store")(cell, value)
    assert cell.cell_contents is value
    assert function("ppy_cell_peek")(types.CellType()) is None
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'x' where it is not associated"):
        function("ppy_cell_load")(types.CellType(), "x", 0)
