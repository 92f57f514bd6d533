"""References, slots, fetched exceptions, counted loops of general code, values boxed in place."""

from __future__ import annotations

import ctypes
import struct
import sys
from typing import Any

import pytest
from native_library import function, objects
from outcomes import outcome, python
from test_operations import out_array, taken


def test_reference_counts() -> None:
    value = object()
    before = sys.getrefcount(value)
    function("ppy_incref")(value)
    function("ppy_xincref")(value)
    assert sys.getrefcount(value) == before + 2
    function("ppy_decref")(value)
    function("ppy_xdecref")(value)
    assert sys.getrefcount(value) == before
    for immortal in (None, True, 5, "", ()):
        function("ppy_incref")(immortal)
        function("ppy_decref")(immortal)


def test_a_last_reference_finalizes() -> None:
    seen: list[str] = []

    class Finalized:
        def __del__(self) -> None:
            seen.append("gone")

    value = Finalized()
    address = id(value)
    function("ppy_incref")(value)
    del value
    assert seen == []
    release = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(ctypes.cast(function("ppy_decref"), ctypes.c_void_p).value or 0)
    release(address)
    assert seen == ["gone"]


def test_slots() -> None:
    assert function("ppy_tuple_size")((1, 2)) == 2
    new_list, new_tuple = ctypes.pythonapi.PyList_New, ctypes.pythonapi.PyTuple_New
    new_list.restype = new_tuple.restype = ctypes.py_object
    made_list, made_tuple = new_list(1), new_tuple(1)
    item = object()
    for _ in range(2):
        function("ppy_incref")(item)
    function("ppy_list_fill")(made_list, 0, item)
    function("ppy_tuple_fill")(made_tuple, 0, item)
    assert made_list == [item]
    assert made_tuple == (item,)
    for name, container in (("list", made_list), ("tuple", made_tuple)):
        function("ppy_incref")(item)  # the result of this call is taken as owned, but it is borrowed
        assert function(f"ppy_{name}_item")(container, 0) is item


def test_fetching_and_restoring() -> None:
    error = ValueError("kept")
    try:
        raise error
    except ValueError as raised:
        traceback = raised.__traceback__
    function("ppy_incref")(error)
    with pytest.raises(ValueError, match="kept") as caught:
        function("ppy_restore")(error)
    assert caught.value is error
    assert error.__traceback__ is not traceback  # an entry for the caller was added, below it the old ones
    entries = []
    walked: Any = error.__traceback__
    while walked is not None:
        entries.append(walked)
        walked = walked.tb_next
    assert entries[-1] is traceback


def test_recursion_error() -> None:
    with pytest.raises(RecursionError, match="^maximum recursion depth exceeded$"):
        function("ppy_recursion_error")()


class Index:
    def __index__(self) -> int:
        return 3


RANGES: list[tuple[Any, ...]] = [
    (3,),
    (0,),
    (-2,),
    (1, 4),
    (4, 1),
    (1, 10, 3),
    (10, 1, -3),
    (5, 5, -1),
    (2**64, 2**64 + 2),
    (2**70, 2**70 - 4, -(2**1)),
    (Index(),),
    (1, 5, Index()),
    (True,),
    (0, 3, 0),
    ("a",),
    (),
    (1, 2, 3, 4),
    (1.5,),
]


@pytest.mark.parametrize("arguments", RANGES, ids=repr)
def test_counted_loops_of_general_code(arguments: tuple[Any, ...]) -> None:
    def native() -> list[Any]:
        state = (ctypes.c_void_p * 4)()
        function("ppy_range_begin")(range, objects(*arguments), len(arguments), state)
        iterator, current, stop, step = state
        following = (ctypes.c_void_p * 2)()
        step_on = ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 5)(
            ctypes.cast(function("ppy_range_next"), ctypes.c_void_p).value or 0
        )
        seen: list[Any] = []
        while (answer := step_on(iterator, current, stop, step, following)) == 1:
            seen.append(ctypes.cast(following[0] or 0, ctypes.py_object).value)
            _release(following[0], current)
            current = following[1]
        assert answer == 0
        _release(following[1], current, iterator, stop, step)
        return seen

    assert outcome(native) == outcome(lambda: list(python("result = range(*arguments)", arguments=arguments)))


def _release(*addresses: int | None) -> None:
    for address in addresses:
        if address is not None:
            ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(address))


def test_values_of_a_failed_guard_are_boxed_in_place() -> None:
    owned = object()
    before = sys.getrefcount(owned)
    frame = (ctypes.c_void_p * 9)()
    frame[1] = -5 % 2**64
    frame[2] = 2**64 - 1
    frame[3] = struct.unpack("<q", struct.pack("<d", 2.5))[0]
    frame[4] = 1
    frame[5] = id(owned)
    frame[6], frame[7] = 7, 0
    records = b"".join(
        kind + struct.pack("<H", place) for kind, place in zip((b"i", b"u", b"f", b"b", b"o"), range(1, 6), strict=True)
    )
    records += b"I" + struct.pack("<HH", 6, 7) + b"n" + struct.pack("<H", 8) + b"\0"
    buffer = ctypes.create_string_buffer(records)
    pack = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
        ctypes.cast(function("ppy_pack"), ctypes.c_void_p).value or 0
    )
    pack(ctypes.addressof(frame), ctypes.addressof(buffer))
    values = [ctypes.cast(frame[i] or 0, ctypes.py_object).value for i in range(1, 6)]
    assert values == [-5, 2**64 - 1, 2.5, True, owned]
    assert frame[6] is None
    assert frame[8] is None
    assert sys.getrefcount(owned) == before + 2  # the list above, and the reference that the frame owns now
    _release(*frame[1:6])


def test_taken_values_are_released() -> None:
    item = object()
    before = sys.getrefcount(item)
    array = out_array(1)
    function("ppy_unpack_sequence")((item,), 1, array)
    assert taken(array, 1) == [item]
    del array
    assert sys.getrefcount(item) == before
