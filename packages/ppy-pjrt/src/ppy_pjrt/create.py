"""Making buffers: uploads, uninitialised and error buffers, promises.

Uploads go through a prepared argument struct per kind of buffer, so that one more upload of a known kind costs one
look at the array and one C call. The plugin copies during the call: the array may change as soon as ``put`` returns.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .abi import Frame, int64s
from .buffer import Buffer
from .dtypes import DType, dtype_of
from .errors import ArgumentMismatch, ForkedProcess, HandleClosed, PjrtError, Unsupported, code_number
from .fastpath import fast, template
from .host import (
    CONTIGUOUS,
    FORMAT,
    HostArray,
    PyBuffer,
    dense_strides,
    dims_of,
    get_buffer,
    host_array,
    rearranged,
    release_buffer,
    view_as,
)
from .layouts import memory_layout, row_major
from .spec import Spec
from .values import Value, encode

if TYPE_CHECKING:
    from .client import Client
    from .device import Device, Memory

_FLAGS = CONTIGUOUS | FORMAT
_COPY_DURING_CALL = 0


class Upload:
    """One prepared upload of a kind of buffer: argument struct and view as words, and where things are in them."""

    __slots__ = ("argument", "data", "done", "frame", "result", "run", "view", "view_address", "view_words", "words")

    def __init__(self, spec: Spec) -> None:
        client = spec.client
        if client.api.forked or not client._handle:
            raise _refused(client)
        frame = client.api.frame(
            "PJRT_Client_BufferFromHostBuffer_Args", client=client._keep, type=spec.dtype.code, dims=int64s(spec.shape),
            num_dims=len(spec.shape), host_buffer_semantics=_COPY_DURING_CALL, **_place(spec),
        )  # fmt: skip
        self.frame = frame
        self.argument = ctypes.byref(frame.raw)
        self.words = view_as(memoryview(frame.raw), "N")
        fields = frame.layout.fields
        self.data, self.done, self.result = (
            fields[name].offset // 8 for name in ("data", "done_with_host_buffer", "buffer")
        )
        self.run = client.api.table.entry_by_reference("PJRT_Client_BufferFromHostBuffer")
        self.view = PyBuffer()
        self.view_words = view_as(memoryview(self.view), "N")
        self.view_address = ctypes.addressof(self.view)

    def send(self, spec: Spec, address: int) -> Buffer:
        """Uploads from an address that is known to hold the whole array."""
        self.words[self.data] = address
        return self.finish(spec, self.run(self.argument))

    def finish(self, spec: Spec, error: int | None) -> Buffer:
        """The buffer that a call has made, or its error."""
        client = spec.client
        if error:
            from .diagnose import explain

            raise explain(client, client.api.take_error(error))
        calls, words = client._calls, self.words
        if done := words[self.done]:
            calls.events.handle(done)  # nothing waits for it: the plugin has copied already
        return Buffer(spec, calls.handle(words[self.result]))


def kind_of(spec: Spec) -> Any:
    """A parameter's kind for the compiled call: it uploads plain contiguous arrays of exactly this kind itself."""
    frame = Upload(spec).frame
    fields = frame.layout.fields
    formats = () if spec.layout is not None or spec.memory is not None else tuple(spec.formats)
    entry = spec.client.api.table.pointer("PJRT_Client_BufferFromHostBuffer")
    return fast.Kind(
        spec, template(entry, frame), fields["data"].offset, fields["done_with_host_buffer"].offset,
        fields["buffer"].offset, formats, spec.shape, spec.nbytes, frame,
    )  # fmt: skip


def _place(spec: Spec) -> dict[str, Any]:
    fields: dict[str, Any] = {"device": spec.device._pointer}
    if spec.memory is not None:
        fields = {"memory": spec.memory._pointer}
    if spec.layout is not None:
        fields |= {"memory": (spec.memory or spec.device.default_memory)._pointer, "device": 0}
        fields["device_layout"] = memory_layout(spec.client.api, spec.layout)
    return fields


_LEN, _SHAPE = PyBuffer.len.offset // 8, PyBuffer.shape.offset // 8


def upload(spec: Spec, data: Any) -> Buffer:
    """Uploads an array that must be of exactly this kind: the quick way first, every check in the slow one.

    A kind whose client was closed has no prepared uploads left, and none can be made.
    """
    try:
        slot: Upload = spec.uploads.pop()
    except IndexError:
        slot = Upload(spec)
    view, place = slot.view, slot.view_address
    try:
        get_buffer(data, place, _FLAGS)
    except (TypeError, BufferError, ValueError):
        spec.uploads.append(slot)
        return _upload_any(spec, data)
    words = slot.view_words
    rank = len(spec.shape)
    if (
        words[_LEN] != spec.plain_nbytes
        or view.ndim != rank
        or view.format not in spec.formats
        or (rank > 1 and ctypes.string_at(words[_SHAPE], 8 * rank) != spec.dims_bytes)
    ):
        release_buffer(place)
        spec.uploads.append(slot)
        return _upload_any(spec, data)
    slot.words[slot.data] = words[0]
    error = slot.run(slot.argument)
    release_buffer(place)
    buffer = slot.finish(spec, error)
    spec.uploads.append(slot)
    return buffer


def _slot(spec: Spec) -> Upload:
    try:
        found: Upload = spec.uploads.pop()
        return found
    except IndexError:
        return Upload(spec)


def _refused(client: Client) -> Exception:
    if client.api.forked:
        return ForkedProcess("the client was created before this process was forked")
    return HandleClosed(f"the client of this program or buffer {getattr(client._handle, 'why', 'was closed')}")


def _upload_any(spec: Spec, data: Any) -> Buffer:
    scalar = isinstance(data, (bool, int, float, complex))
    with host_array(data, spec.dtype if scalar else None, spec.shape if scalar else None) as array:
        if array.dtype != spec.dtype or array.shape != spec.shape:
            raise ArgumentMismatch(f"an array of {array.dtype}{list(array.shape)} was given where {spec} is wanted")
        return send(spec, array)


def send(spec: Spec, array: HostArray) -> Buffer:
    """Uploads a host array whose type and shape are those of the spec."""
    strides, size = array.strides, array.dtype.itemsize
    if spec.layout is not None and not spec.client.layout_conversion.on_upload:
        source = strides if strides is not None else dense_strides(array.shape, size)
        return _send_copy(spec, rearranged(array.address, array.shape, source, spec.device_strides, size))
    if strides is not None:
        if min(strides) > 0 and spec.layout is None:
            slot = Upload(spec)
            slot.frame["byte_strides"], slot.frame["num_byte_strides"] = int64s(strides), len(strides)
            return slot.send(spec, array.address)
        # XLA takes neither reversed nor broadcast arrays: their elements are gathered here.
        return _send_copy(spec, rearranged(array.address, array.shape, strides, dense_strides(array.shape, size), size))
    return _send_dense(spec, array.address)


def _send_dense(spec: Spec, address: int) -> Buffer:
    slot = _slot(spec)
    try:
        return slot.send(spec, address or slot.view_address)
    finally:
        spec.uploads.append(slot)


def _send_copy(spec: Spec, raw: Any) -> Buffer:
    return _send_dense(spec, ctypes.addressof(raw))


def put(
    client: Client, data: Any, device: Device | None, dtype: Any, shape: Sequence[int] | None, memory: Memory | None,
    layout: Sequence[int] | None, copy: bool | None,
) -> Buffer:  # fmt: skip
    """``Client.put``."""
    if client.api.forked or not client._handle:
        raise _refused(client)
    device = place_of(client, device, memory)
    if isinstance(data, Buffer):
        return data._to(device, memory)
    array = host_array(data, dtype, shape)
    check_type(client, array.dtype)
    spec = client._spec(array.dtype, array.shape, device, memory, _order(layout, array.shape))
    if copy is not True and (shared := _shared(spec, array, insist=copy is False)) is not None:
        return shared
    with array:
        return send(spec, array)


def _order(layout: Sequence[int] | None, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    from .signature import canonical

    if layout is None:
        return None
    if sorted(layout) != list(range(len(shape))):
        raise ArgumentMismatch(f"layout {tuple(layout)} is no minor-to-major order of {len(shape)} dimensions")
    return canonical(tuple(layout), shape)


def place_of(client: Client, device: Device | None, memory: Memory | None) -> Device:
    """The device that a device, a memory, both or neither ask for."""
    for place in (device, memory):
        if place is not None and place.client is not client:
            raise ArgumentMismatch(f"{place!r} belongs to another client")
    if memory is None:
        return device or client.devices[0]
    if device is not None and device not in memory.devices:
        raise ArgumentMismatch(f"{memory!r} is not a memory of {device!r} but of {memory.devices}")
    return device or memory.devices[0]


def check_type(client: Client, dtype: DType) -> None:
    """Refuses what the plugin's version does not know: XLA would abort the process."""
    if dtype == "token":
        raise ArgumentMismatch("a token holds no data: it cannot be made from an array")
    if dtype.since > client.api.minor:
        raise Unsupported(f"{client.plugin!r} has no {dtype} (PJRT 0.{dtype.since} has it)", dtype, dtype.since)


def _shared(spec: Spec, array: HostArray, insist: bool) -> Buffer | None:
    from .dlpack import ALIGNMENT, view_of

    reason = ""
    if not spec.on_host:
        reason = f"{spec} is not plain host memory"
    elif array.strides is not None:
        reason = "the array is strided"
    elif array.address % ALIGNMENT:
        reason = f"the array starts {array.address % ALIGNMENT} bytes after a {ALIGNMENT}-byte boundary"
    elif not array.nbytes:
        reason = "an empty array has nothing to share"
    if not reason:
        return view_of(spec, array.address, array.release)
    if insist:
        array.release()
        raise ArgumentMismatch(f"copy=False, but {reason}")
    return None


def empty(client: Client, dtype: Any, shape: Sequence[int], device: Device | None, memory: Memory | None) -> Buffer:
    """``Client.empty``."""
    spec = _wanted(client, dtype, shape, device, memory)
    frame = client.call("PJRT_Client_CreateUninitializedBuffer", **_shape_fields(spec), memory=_memory_of(spec))
    return Buffer(spec, client._calls.handle(frame["buffer"]))


def _wanted(client: Client, dtype: Any, shape: Sequence[int], device: Device | None, memory: Memory | None) -> Spec:
    client._live()
    element = dtype_of(dtype)
    check_type(client, element)
    device = place_of(client, device, memory)
    return client._spec(element, dims_of(shape, element.itemsize), device, memory)


def _shape_fields(spec: Spec) -> dict[str, Any]:
    return {
        "shape_dims": int64s(spec.shape), "shape_num_dims": len(spec.shape), "shape_element_type": spec.dtype.code,
        "shape_layout": memory_layout(spec.client.api, row_major(len(spec.shape))),
    }  # fmt: skip


def _memory_of(spec: Spec) -> int:
    return (spec.memory or spec.device.default_memory)._pointer


def error_buffer(
    client: Client, code: str | int, message: str, dtype: Any, shape: Sequence[int], device: Device | None = None, *,
    payload: Mapping[str, Value] | None = None,
) -> Buffer:  # fmt: skip
    """A buffer that fails with this error when it is read or given to a program; needs PJRT 0.82."""
    spec = _wanted(client, dtype, shape, device, None)
    extra = {"payload": encode(payload), "num_payload": len(payload)} if payload else {}
    frame = client.call(
        "PJRT_Client_CreateErrorBuffer", error_code=code_number(code), error_message=message.encode(),
        memory=_memory_of(spec), **_shape_fields(spec), **extra,
    )  # fmt: skip
    return Buffer(spec, client._calls.handle(frame["buffer"]))


class Promise:
    """A buffer given out before its contents exist: ``fulfil`` or ``fail`` it once."""

    def __init__(self, client: Client, dtype: Any, shape: Sequence[int], device: Device | None = None) -> None:
        spec = _wanted(client, dtype, shape, device, None)
        frame = client.call("PJRT_Client_CreateAliasBuffer", memory=_memory_of(spec), **_shape_fields(spec))
        self.buffer = Buffer(spec, client._calls.handle(frame["alias_buffer"]))
        self._callback: int = frame["fulfill_alias_buffer_cb"]
        self._client = client

    def _settle(self, **fields: Any) -> Frame:
        callback, self._callback = self._callback, 0
        if not callback:
            raise HandleClosed("this promise was already kept or broken")
        return self._client.call("PJRT_Client_FulfillAliasBuffer", fulfill_alias_buffer_cb=callback, **fields)

    def fulfil(self, buffer: Buffer) -> None:
        """Makes the promised buffer an alias of this one."""
        self._settle(buffer=buffer._live(), status_code=0)

    def fail(self, code: str | int, message: str) -> None:
        """Makes everything that waits for the promised buffer fail."""
        try:
            self._settle(status_code=code_number(code), error_message=message.encode())
        except PjrtError as error:
            # Plugins from 0.106 at least answer with the very error they were told to pass on.
            if error.message != message:
                raise
