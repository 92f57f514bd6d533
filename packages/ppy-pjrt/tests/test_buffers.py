"""Buffers on real plugins: types, shapes, places, reading."""

from __future__ import annotations

import array
import asyncio
import copy
import gc

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn
from pjrt_programs import identity
from ppy_pjrt.client import Client
from ppy_pjrt.create import Promise, error_buffer
from ppy_pjrt.dtypes import DTYPES
from ppy_pjrt.errors import Aborted, ArgumentMismatch, HandleClosed, InvalidArgument, PjrtError, Unsupported
from ppy_pjrt.transfer import AsyncTransfer

pytestmark = pytest.mark.cpu
X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize("name", [name for name in DTYPES if name != "token"])
def test_every_element_type_is_byte_exact(client: Client, name: str) -> None:
    dtype = DTYPES[name]
    if dtype.since > client.api.minor:
        with pytest.raises(Unsupported, match=f"0.{dtype.since}"):
            client.put(b"\0\1\2\3", dtype=name)
        return
    if name in ("int1", "uint1", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int2", "uint2"):
        raw = bytes([0, 1, 1, 0] * 4)
    elif dtype.bits < 8:
        raw = bytes(range(8))
    elif name == "bool":
        raw = bytes([0, 1, 1, 0])
    else:
        raw = bytes(range(48))
    try:
        buffer = client.put(raw, dtype=name)
    except PjrtError as error:
        pytest.xfail(f"the plugin refuses {name}: {error}")
    assert buffer.dtype == name and buffer.size * dtype.itemsize == len(raw)
    assert bytes(buffer.to_host().cast("B")) == raw


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_numpy_array_comes_back(client: Client, data: st.DataObject) -> None:
    kinds = st.sampled_from(["?", "i1", "u1", "i2", "u4", "i4", "i8", "f2", "f4", "f8", "c8", "c16"])
    given_array = data.draw(
        hn.arrays(data.draw(kinds), hn.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))
    )
    axes = data.draw(st.permutations(range(given_array.ndim)))
    view = given_array.transpose(axes)[tuple(slice(None, None, data.draw(st.sampled_from([1, 2, -1]))) for _ in axes)]
    back = np.asarray(client.put(view))
    assert back.dtype == view.dtype and back.shape == view.shape
    assert back.tobytes() == view.tobytes()


def test_ml_dtypes_arrays(client: Client) -> None:
    for name in ("bfloat16", "float8_e5m2", "float8_e4m3fn"):
        given_array = np.arange(6).astype(getattr(ml_dtypes, name)).reshape(2, 3)
        buffer = client.put(given_array)
        assert buffer.dtype == name
        back = np.asarray(buffer)
        assert back.dtype == given_array.dtype and back.tobytes() == given_array.tobytes()
        assert client.compile(identity(DTYPES[name].mlir, "2x3x"))(given_array)[0].dtype == name


def test_what_python_has(client: Client) -> None:
    assert client.put(array.array("d", [1, 2])).dtype == "float64"
    assert client.put(array.array("l", [1, 2])).dtype == "int64"
    assert client.put(b"ab").dtype == "uint8" and client.put(bytearray(b"ab")).tolist() == [97, 98]
    assert client.put(2.5, dtype="float32").item() == 2.5 and client.put(True).dtype == "bool"
    assert client.put(1 + 2j).item() == 1 + 2j
    assert client.put(1.0, dtype="bfloat16").tolist() == 1.0
    scalar = client.put(3, dtype="int32")
    assert (int(scalar), float(scalar), bool(scalar), scalar.shape, scalar.ndim) == (3, 3.0, True, (), 0)
    assert len(client.put(X)) == 2
    with pytest.raises(TypeError):
        len(scalar)


def test_bad_arrays_are_refused_by_name(client: Client) -> None:
    cases = {
        "a list is no array": ([1, 2], "list is no array"),
        "big endian": (np.arange(3, dtype=">f4"), "'>f'"),
        "structured": (np.zeros(3, [("a", "f4"), ("b", "i4")]), "not an element type"),
        "objects": (np.array([None]), "not an element type"),
        "text": (np.array(["a"]), "not an element type"),
    }
    for data, message in cases.values():
        with pytest.raises(ArgumentMismatch, match=message):
            client.put(data)
    for bad in (dict(dtype="float33"), dict(dtype="token"), dict(shape=(7,)), dict(shape=(-1, -6)), dict(dtype="int32"),
                dict(shape=(1 << 40, 1 << 40)), dict(layout=(0, 0)), dict(layout=(0,))):  # fmt: skip
        with pytest.raises(ArgumentMismatch):
            client.put(X, **bad)
    with pytest.raises(ArgumentMismatch, match="300 is not a value of int8"):
        client.put(300, dtype="int8")
    with pytest.raises(ArgumentMismatch):
        client.put(b"abc", dtype="float32")


def test_huge_sizes_fail_cleanly(client: Client) -> None:
    with pytest.raises(ArgumentMismatch, match="no shape"):
        client.empty("float32", (1 << 40, 1 << 30))
    with pytest.raises(PjrtError):
        client.empty("float32", (1 << 50,)).to_host()


def test_metadata_takes_no_call(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = client.put(X)
    assert client.devices[0].id == 0, "read once per device"

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a C call for metadata")

    monkeypatch.setattr(type(client.api), "call_in", forbidden)
    assert (buffer.shape, buffer.dtype, buffer.size, buffer.nbytes, buffer.ndim) == ((2, 3), "float32", 6, 24, 2)
    assert buffer.device is client.devices[0] and buffer.client is client
    assert "float32[2,3] on <Device cpu:0>" in repr(buffer)


def test_reading_into_memory_of_ones_own(client: Client) -> None:
    buffer = client.put(X)
    for target in (np.empty((2, 3), np.float32), bytearray(24), array.array("f", [0] * 6), np.empty(24, np.uint8)):
        buffer.to_host(target)
        assert bytes(memoryview(target).cast("B")) == X.tobytes()
    frozen = np.empty((2, 3), np.float32)
    frozen.flags.writeable = False
    for bad in (bytearray(23), np.empty((2, 3), np.int32), np.empty((3, 2), np.float32).T, frozen, b"x" * 24):
        with pytest.raises((ArgumentMismatch, TypeError, BufferError, ValueError)):
            buffer.to_host(bad)
    with pytest.raises(ArgumentMismatch, match="6 elements"):
        buffer.item()


def test_asynchronous_reading(client: Client) -> None:
    buffer = client.put(X)
    pending = buffer.read()
    assert pending.result(10).tolist() == X.tolist() == pending.result().tolist()
    for _ in range(50):
        buffer.read()  # dropped while in flight

    async def main() -> list[object]:
        first, second = await asyncio.gather(_read(buffer), _read(buffer))
        assert (await buffer) is buffer
        return [first, second]

    async def _read(item: object) -> object:
        return (await item.read()).tolist()  # type: ignore[attr-defined]

    assert asyncio.run(main()) == [X.tolist()] * 2


def test_numpy_views_are_read_only_and_own_what_they_show(client: Client) -> None:
    big = np.arange(40_000, dtype=np.float32)
    buffer = client.put(big)
    view = np.asarray(buffer)
    assert not view.flags.writeable and view.tolist() == big.tolist()
    assert np.asarray(buffer, copy=False) is not None
    buffer.close()
    gc.collect()
    assert (view == big).all()
    assert np.array(client.put(X)).flags.writeable
    assert np.asarray(client.put(X), np.float64).dtype == np.float64


def test_a_copy_that_is_not_wanted_is_refused(client: Client) -> None:
    narrow = client.put(b"\1\2\3", dtype="int4")
    with pytest.raises(ValueError, match=r"copy=False.*int4"):
        np.asarray(narrow, copy=False)
    assert np.asarray(narrow).tolist() == [1, 2, 3]


def test_a_buffer_seen_by_an_array_is_not_donated_away_under_it(client: Client) -> None:
    from pjrt_programs import STEP

    step = client.compile(STEP)
    b = client.put(np.ones(8, np.float32))
    a = client.put(np.arange(8, dtype=np.float32))
    view = np.from_dlpack(a)
    try:
        step(a, b)
    except PjrtError:
        pass
    assert view.tolist() == list(range(8)), "the array changed"


def test_zero_copy_where_alignment_allows(client: Client) -> None:
    raw = np.empty(64 + 16, np.float32)
    start = -raw.ctypes.data % 64 // 4
    aligned, crooked = raw[start : start + 32], raw[start + 1 : start + 33]
    aligned[:] = 7
    shared = client.put(aligned, copy=False)
    aligned[0] = 8
    assert shared.tolist()[0] == 8
    with pytest.raises(ArgumentMismatch, match="copy=False.*4 bytes after a 64-byte boundary"):
        client.put(crooked, copy=False)
    assert client.put(crooked, copy=None).shape == (32,)
    with pytest.raises(ArgumentMismatch, match="strided"):
        client.put(aligned[::2], copy=False)
    copied = client.put(aligned)
    aligned[1] = 9
    assert copied.tolist()[1] != 9


def test_closing_deleting_and_using_after(client: Client) -> None:
    for end, word in (("close", "was closed"), ("delete", "was deleted")):
        buffer = client.put(X)
        getattr(buffer, end)()
        for use in (
            buffer.to_host,
            buffer.wait,
            buffer.ready,
            buffer.delete,
            buffer.tolist,
            buffer.__dlpack__,
            buffer.read,
        ):
            with pytest.raises(HandleClosed, match=word):
                use()
        assert buffer.closed and buffer.shape == (2, 3) and word in repr(buffer)
        buffer.close()
    with client.put(X) as buffer:
        assert not buffer.closed
    assert buffer.closed
    again = copy.copy(client.put(X))
    assert again.tolist() == X.tolist()


def test_places(client: Client) -> None:
    one, two = client.devices[:2]
    buffer = client.put(X, two)
    assert buffer.device is two and buffer.memory is two.default_memory
    moved = buffer.copy_to(one)
    assert moved.device is one and moved.tolist() == X.tolist() and buffer.copy_to(two) is buffer
    for memory in one.memories:
        held = client.put(X, memory=memory)
        assert held.memory is memory and held.tolist() == X.tolist()
        assert buffer.copy_to(memory).tolist() == X.tolist()
    assert {m.kind for m in one.memories} >= {"device"} and one.memory("device") in one.memories
    with pytest.raises(Unsupported, match="no memory 'moon'; it has device"):
        one.memory("moon")
    with Client(client.plugin) as other:
        with pytest.raises(ArgumentMismatch, match="another client"):
            client.put(X, other.devices[0])
        with pytest.raises(ArgumentMismatch, match="another client"):
            buffer.copy_to(other.devices[0])


def test_devices_and_memories(client: Client) -> None:
    assert [device.id for device in client.devices] == list(range(len(client.devices)))
    device = client.devices[0]
    assert client.lookup_device(0) is device and client.lookup_local(device.local_hardware_id) is device
    assert device.kind == "cpu" and device.process_index == 0 and device.is_addressable and device.coords is None
    assert str(device) and device.debug_string and isinstance(device.attributes, dict)
    assert device in device.default_memory.devices and device.default_memory in client.memories
    assert device.default_memory.debug_string and device.default_memory.kind_id >= 0
    with pytest.raises(PjrtError):
        client.lookup_device(12345)
    assert client.default_device_assignment(2, 2) == [[0, 1], [2, 3]]


def test_error_buffers_and_promises(client: Client) -> None:
    if client.api.minor < 82:
        with pytest.raises(Unsupported, match="0.82"):
            error_buffer(client, "ABORTED", "x", "float32", (2,))
        return
    bad = error_buffer(client, "ABORTED", "on purpose", "float32", (4,))
    with pytest.raises(Aborted, match="on purpose"):
        bad.to_host()
    with pytest.raises(PjrtError, match="on purpose"):
        client.compile(identity("f32"))(bad)[0].to_host()
    if client.api.minor >= 103:
        told = error_buffer(client, "ABORTED", "x", "float32", (4,), payload={"reason": "ü"})
        with pytest.raises(Aborted) as caught:
            told.to_host()
        assert caught.value.payloads == {"reason": "ü".encode()}
        with pytest.raises(InvalidArgument, match="not a string"):
            error_buffer(client, "ABORTED", "x", "float32", (4,), payload={"n": 3})
    promise = Promise(client, "float32", (2, 3))
    assert not promise.buffer.is_ready()
    promise.fulfil(client.put(X))
    assert promise.buffer.tolist() == X.tolist()
    with pytest.raises(HandleClosed, match="already"):
        promise.fulfil(client.put(X))
    broken = Promise(client, "float32", (2, 3))
    broken.fail("ABORTED", "never mind")
    with pytest.raises(PjrtError, match="never mind"):
        broken.buffer.to_host()


def test_bitcast(client: Client) -> None:
    if client.api.minor < 98:
        with pytest.raises(Unsupported, match="0.98"):
            client.put(X).bitcast("int32", (6,))
        return
    assert client.put(X).bitcast("int32", (3, 2)).tolist() == X.view(np.int32).reshape(3, 2).tolist()


def test_pieces(client: Client) -> None:
    with AsyncTransfer(client, [("float32", (4,)), ("int8", (2, 2))], device=client.devices[1]) as transfer:
        assert transfer.device is client.devices[1] and transfer.buffer_size(0) >= 16
        first, second = transfer.buffers
        assert not first.is_ready() and first.shape == (4,) and second.dtype == "int8"
        waiting = transfer.send(0, np.array([3, 4], np.float32), offset=8, last=False)
        waiting.wait()
        transfer.send(1, b"\1\2\3\4")
        transfer.send(0, np.array([1, 2], np.float32))
        assert first.tolist() == [1, 2, 3, 4] and second.tolist() == [[1, 2], [3, 4]]
        with pytest.raises(ArgumentMismatch, match="8 bytes at offset 12 do not fit buffer 0 of 16"):
            transfer.send(0, np.array([1, 2], np.float32), offset=12)
        with pytest.raises(ArgumentMismatch, match="no buffer 5"):
            transfer.send(5, b"")
    with pytest.raises(HandleClosed):
        transfer.send(0, b"")
    broken = AsyncTransfer(client, [("float32", (4,))])
    broken.fail(0, "ABORTED", "cable cut")
    with pytest.raises(PjrtError, match="cable cut"):
        broken.buffers[0].to_host()


def test_dlpack_with_other_libraries(client: Client) -> None:
    buffer = client.put(X)
    assert buffer.__dlpack_device__() == (1, 0)
    view = np.from_dlpack(buffer)
    assert view.__array_interface__["data"][0] == buffer.device_pointer(), "no copy"
    jnp = pytest.importorskip("jax.numpy")
    jax_array = jnp.from_dlpack(buffer)
    assert np.asarray(jax_array).tolist() == X.tolist()
    adopted = client.from_dlpack(jnp.arange(32, dtype="float32"))
    assert adopted.tolist() == list(range(32))
    assert client.put(jnp.arange(4)).tolist() == [0, 1, 2, 3]
    for options in (dict(copy=True), dict(dl_device=(2, 0))):
        with pytest.raises(BufferError):
            buffer.__dlpack__(**options)
    with pytest.raises(BufferError, match="int4"):
        client.put(b"\1\2", dtype="int4").__dlpack__()


def test_dlpack_layouts_and_refusals(client: Client) -> None:
    raw = np.empty(64 + 16, np.float32)
    start = -raw.ctypes.data % 64 // 4
    square = raw[start : start + 12].reshape(3, 4)
    square[:] = np.arange(12).reshape(3, 4)
    columns = client.from_dlpack(square.T)
    assert columns.shape == (4, 3) and columns.tolist() == square.T.tolist()
    with pytest.raises(ArgumentMismatch, match="gaps"):
        client.from_dlpack(square[:, ::2])
    with pytest.raises(ArgumentMismatch, match="4 bytes after a 64-byte boundary"):
        client.from_dlpack(raw[start + 1 : start + 9])
    with pytest.raises((ArgumentMismatch, PjrtError, BufferError)):
        client.from_dlpack(np.zeros(2, "S3"))
    capsule_holder = type(
        "Once", (), {"__dlpack__": lambda self, **_: _CAPSULE, "__dlpack_device__": lambda self: (1, 0)}
    )
    _CAPSULE = square.__dlpack__()
    client.from_dlpack(capsule_holder())
    with pytest.raises(HandleClosed, match="consumed"):
        client.from_dlpack(capsule_holder())
