"""What users get wrong, beside what the tests of each part try: every mistake is a typed exception that names it."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pjrt_programs import ADD, identity
from ppy_pjrt import AsyncTransfer, Client, Event, error_buffer
from ppy_pjrt.create import Promise
from ppy_pjrt.dlpack import live_exports
from ppy_pjrt.errors import Aborted, ArgumentMismatch, FailedPrecondition, HandleClosed, InvalidArgument, PjrtError

pytestmark = pytest.mark.cpu
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_names_of_arguments_are_refused(client: Client) -> None:
    executable = client.compile(ADD)
    for _ in range(3):
        with pytest.raises(ArgumentMismatch, match="add takes its arguments by position, not b by name"):
            executable(X, b=X)
        executable(X, X)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((2, 3), "M8[s]"), "datetime64"), (np.zeros((2, 3), "m8[ns]"), "timedelta64"),
        (np.zeros((2, 3), np.longdouble), "'g'"), (np.zeros((2, 3), "V4"), "not an element type"),
        (X.view(np.matrix).T, r"float32\[3, 2\]"), (X[:0], r"float32\[0, 3\]"), (X.astype(">f4"), "'>f'"),
        (bytes(24), r"uint8\[24\]"), (object(), "is no array"),
    ],
)  # fmt: skip
def test_arrays_of_other_kinds(client: Client, array: Any, message: str) -> None:
    executable = client.compile(ADD)
    for _ in range(3):
        with pytest.raises(ArgumentMismatch, match=f"argument 1 of add.*{message}"):
            executable(X, array)
        executable(X, X)


def test_arrays_that_look_unusual_are_taken(client: Client) -> None:
    executable = client.compile(ADD)
    raw = np.zeros(X.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(2, 3)
    raw[:] = X
    base = np.arange(64, dtype=np.float32)
    frozen = X.copy()
    frozen.flags.writeable = False

    class Special(np.ndarray):
        pass

    for array in (
        raw, frozen, X[::-1], X[:, ::-1], X[::-1, ::-1], X.T.copy().T, base[::10][:6].reshape(2, 3),
        base.reshape(8, 8)[::4, ::3], np.broadcast_to(np.float32(3), (2, 3)), X.view(Special), X.view(np.matrix),
        memoryview(X)[::-1],
    ):  # fmt: skip
        for _ in range(2):
            (total,) = executable(array, X)
            assert np.array_equal(np.asarray(total), np.asarray(array) + X)


def test_a_producer_that_cannot_give_its_array(client: Client) -> None:
    class Refuses:
        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

        def __dlpack__(self, **_: object) -> object:
            raise BufferError("it needs a gradient")

    class Gone(Refuses):
        def __dlpack_device__(self) -> tuple[int, int]:
            raise RuntimeError("this array has been deleted")

    executable = client.compile(ADD)
    for given, message in ((Gone(), "RuntimeError: this array has been deleted"), (Refuses(), "it needs a gradient")):
        with pytest.raises(ArgumentMismatch, match=message):
            executable(X, given)
        with pytest.raises(ArgumentMismatch, match=message):
            client.from_dlpack(given)
    with pytest.raises(ArgumentMismatch, match="int cannot be had through DLPack"):
        client.from_dlpack(3)


@pytest.mark.parametrize("shape", [(1.5,), "12", (-1,), (2**61,), (2**70,), None, 3])
def test_shapes_that_are_none(client: Client, shape: Any) -> None:
    for make in (
        lambda: client.empty("float64", shape), lambda: error_buffer(client, "ABORTED", "no", "float64", shape),
        lambda: Promise(client, "float64", shape), lambda: AsyncTransfer(client, [("float64", shape)]),
    ):  # fmt: skip
        with pytest.raises(ArgumentMismatch, match="is no shape"):
            make()


def test_a_memory_of_another_device_or_client(client: Client) -> None:
    first, second = client.devices[:2]
    wanted = {"device": second, "memory": first.default_memory}
    with Client(client.plugin) as other:
        for place, message in ((wanted, "is not a memory of"), ({"memory": other.memories[0]}, "another client")):
            for make in (
                lambda p=place: client.put(X, **p), lambda p=place: client.empty("float32", (3,), **p),
                lambda p=place: AsyncTransfer(client, [("float32", (3,))], **p),
            ):  # fmt: skip
                with pytest.raises(ArgumentMismatch, match=message):
                    make()
        with pytest.raises(ArgumentMismatch, match="another client"):
            client.compile(ADD).execute(X, X, device=other.devices[0])


@pytest.mark.parametrize("code", [0, "OK", 999, -1, "NO_SUCH"])
def test_the_status_of_no_error(client: Client, code: Any) -> None:
    promise = Promise(client, "float32", (3,))
    for use in (lambda: error_buffer(client, code, "no", "float32", (3,)), lambda: promise.fail(code, "no")):
        with pytest.raises(InvalidArgument, match="is the status of no error; there are CANCELLED"):
            use()
    promise.fail("ABORTED", "the end")


def test_options_of_a_call_out_of_range(client: Client) -> None:
    executable = client.compile(ADD)
    with pytest.raises(ArgumentMismatch, match=r"non_donatable names arguments \[7\], add takes 2"):
        executable.execute(X, X, non_donatable=[1, 7])
    with pytest.raises(ArgumentMismatch, match="launch_id = 1099511627776"):
        executable.execute(X, X, launch_id=2**40)
    context = executable.context()
    context.close()
    with pytest.raises(HandleClosed, match="context was closed"):
        executable.execute(X, X, context=context)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda c: c.lookup_device(2**40), "id = 1099511627776"), (lambda c: c.lookup_device("x"), "id = 'x'"),
        (lambda c: c.default_device_assignment(-1), "-1 replicas"), (lambda c: c.compile(None), "not a NoneType"),
        (lambda c: c.compile("\ud800"), "no Unicode text"), (lambda c: c.load(None), "not a NoneType"),
        (lambda c: c.load("text"), "not a str"), (lambda c: c.put(X).to_host(bytes(24)), "read-only"),
        (lambda c: c.put(X).read_bytes(20, 100), "20.*100"), (lambda c: c.put(X).read_bytes(0, -4), "-4"),
    ],
)  # fmt: skip
def test_numbers_and_types_out_of_range(client: Client, use: Callable[[Client], object], message: str) -> None:
    with pytest.raises(PjrtError, match=message):
        use(client)


@pytest.mark.parametrize("count", [0, -3, 2**31, 2**40, 2**70])
def test_device_counts_the_plugin_would_die_of(client: Client, count: int) -> None:
    with pytest.raises(ArgumentMismatch, match="cpu_device_count"):
        Client(client.plugin, options={"cpu_device_count": count})


def test_an_event_is_set_once_and_only_ones_own(client: Client) -> None:
    with pytest.raises(FailedPrecondition, match="only an event made by create"):
        client.put(X).ready().set()
    if not client.api.has("PJRT_Event_Create"):
        return  # the oldest plugin
    event = Event.create(client.plugin)
    with pytest.raises(InvalidArgument, match="status of no error"):
        event.set("NO_SUCH")
    with pytest.raises(FailedPrecondition, match="has not finished"):
        event.error()
    event.set("ABORTED", "the end")
    assert isinstance(event.error(), Aborted)
    with pytest.raises(FailedPrecondition, match="was set already"):
        event.set()
    with pytest.raises(Aborted, match="the end"):
        event.wait()


def test_what_a_consumer_of_dlpack_refuses_stays_its_exception(client: Client) -> None:
    buffer = client.put(bytes(8), dtype="bfloat16")
    before = live_exports()
    with pytest.raises((BufferError, TypeError, RuntimeError), match="DLTensor|DLPack"):
        np.from_dlpack(buffer)
    assert live_exports() == before
    for name in ("float32", "int8"):
        view = np.from_dlpack(client.put(bytes(8), dtype=name))
        buffer.close()
        assert live_exports() == before + 1 and not view.any()
        del view
    capsules = [client.put(X).__dlpack__() for _ in range(3)]
    assert live_exports() == before + 3
    capsules.clear()
    gc.collect()
    assert not live_exports() - before


def test_option_names_are_text(client: Client) -> None:
    with pytest.raises(InvalidArgument, match="option 3: the name"):
        Client(client.plugin, options={3: True})  # type: ignore[dict-item]


@pytest.mark.parametrize("name", ["f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "f8E8M0FNU", "i2", "ui4", "f8E4M3B11FNUZ"])
def test_programs_over_narrow_elements(client: Client, name: str) -> None:
    try:
        executable = client.compile(identity(name))
    except PjrtError:
        assert client.api.minor < 115  # older plugins do not know all of them
        return
    kind = executable.signature.parameters[0].dtype
    assert kind.mlir == name
    given = client.put(bytes([0, 1, 1, 0]), dtype=kind)
    for _ in range(2):
        (given,) = executable(given)
        assert bytes(given.to_host()) == bytes([0, 1, 1, 0])


def test_what_a_plugin_holds_is_neither_pickled_nor_copied(client: Client) -> None:
    buffer, executable = client.put(X), client.compile(ADD)
    executable(buffer, buffer)
    for held in (buffer, buffer.ready(), executable, client):
        for duplicate in (pickle.dumps, copy.deepcopy):
            with pytest.raises((TypeError, ValueError, pickle.PicklingError)):
                duplicate(held)
    again = copy.copy(buffer)
    buffer.close()
    assert np.array_equal(np.asarray(again), X)
