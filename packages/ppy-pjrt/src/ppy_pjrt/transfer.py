"""Asynchronous uploads in pieces: buffers that exist at once and fill as their data arrives. Needs PJRT 0.60."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .abi import Frames, int64s, layout
from .buffer import Buffer
from .create import check_type, place_of
from .dtypes import dtype_of
from .errors import ArgumentMismatch, HandleClosed, code_number
from .event import Event
from .handle import CLOSED, Closed, handle_class
from .host import HostArray, dims_of, host_array
from .values import Value, encode

if TYPE_CHECKING:
    from .client import Client
    from .device import Device, Memory

_MANAGER = "PJRT_AsyncHostToDeviceTransferManager_"


class AsyncTransfer:
    """Buffers of given (dtype, shape), filled by ``send``; ``buffers`` may be used before they are complete."""

    def __init__(
        self, client: Client, specs: Sequence[tuple[Any, Sequence[int]]], *, device: Device | None = None,
        memory: Memory | None = None,
    ) -> None:  # fmt: skip
        target = place_of(client, device, memory)
        place = memory or target.default_memory
        kept = memory if memory is not None and memory is not target.default_memory else None
        self._client = client
        self._api = client.api
        wanted = [(dtype_of(dtype), shape) for dtype, shape in specs]
        self._specs = [client._spec(kind, dims_of(shape, kind.itemsize), target, kept) for kind, shape in wanted]
        shapes = Frames(layout("PJRT_ShapeSpec"), len(self._specs))
        for frame, spec in zip(shapes.items, self._specs, strict=True):
            check_type(client, spec.dtype)
            frame["struct_size"] = frame.layout.size
            frame["dims"], frame["num_dims"] = int64s(spec.shape), len(spec.shape)
            frame["element_type"] = spec.dtype.code
        frame = client.call(
            "PJRT_Client_CreateBuffersForAsyncHostToDevice", shape_specs=shapes, num_shape_specs=len(self._specs),
            memory=place._pointer,
        )  # fmt: skip
        kind = handle_class(self._api, _MANAGER + "Destroy", "transfer_manager", client._keep)
        self._handle: int = kind(frame["transfer_manager"])
        self.buffers: tuple[Buffer, ...] = tuple(self._retrieve(index) for index in range(len(self._specs)))

    def _retrieve(self, index: int) -> Buffer:
        frame = self._call("RetrieveBuffer", buffer_index=index)
        return Buffer(self._specs[index], self._client._calls.handle(frame["buffer_out"]))

    def _call(self, entry: str, **fields: Any) -> Any:
        if isinstance(self._handle, Closed):
            raise HandleClosed(f"this transfer {self._handle.why}")
        return self._api.call(_MANAGER + entry, transfer_manager=self._handle, **fields)

    def _check(self, index: int) -> None:
        if not 0 <= index < len(self._specs):
            raise ArgumentMismatch(f"there is no buffer {index}; this transfer has {len(self._specs)}")

    def send(self, index: int, data: Any, *, offset: int = 0, last: bool = True) -> Event:
        """Starts sending bytes to an offset of a buffer, and gives the event of their being sent."""
        self._check(index)
        array = host_array(data)
        size, room = array.nbytes, self._specs[index].nbytes
        if array.strides is not None:
            raise ArgumentMismatch("the piece to send is not contiguous")
        if offset < 0 or offset + size > room:
            array.release()
            raise ArgumentMismatch(f"{size} bytes at offset {offset} do not fit buffer {index} of {room} bytes")
        return self._send(index, array, offset, size, last)

    def _send(self, index: int, array: HostArray, offset: int, size: int, last: bool) -> Event:
        frame = self._call(
            "TransferData",
            buffer_index=index,
            data=array.address,
            offset=offset,
            transfer_size=size,
            is_last_transfer=last,
        )
        sent = Event(self._client._calls.events, frame["done_with_h2d_transfer"])
        # The plugin reads the array until then; it stays pinned even if the event is dropped.
        sent.add_done_callback(lambda error: array.release())
        return sent

    def fail(self, index: int, code: str | int, message: str) -> None:
        """Makes a buffer fail for whoever reads it."""
        self._check(index)
        self._call("SetBufferError", buffer_index=index, error_code=code_number(code), error_message=message.encode())

    def buffer_size(self, index: int) -> int:
        """Bytes of a buffer on the device."""
        self._check(index)
        return int(self._call("BufferSize", buffer_index=index)["buffer_size"])

    @property
    def device(self) -> Device:
        """Where the buffers are."""
        return self._client._device(self._call("Device")["device_out"])

    def add_metadata(self, values: Mapping[str, Value]) -> None:
        """Tells the plugin about the transfer."""
        self._call("AddMetadata", transfer_metadata=encode(values), num_metadata=len(values))

    def close(self) -> None:
        """Gives it up; buffers not yet complete never will be."""
        self._handle = CLOSED

    def __enter__(self) -> AsyncTransfer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
