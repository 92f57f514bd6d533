"""Buffers: arrays on a device.

A buffer's metadata is plain data (no C call). Reading waits for the contents, honours the device's layout (results are
row-major) and raises the error the computation ended with. NumPy, DLPack and the buffer protocol see it as an array.
"""

from __future__ import annotations

import ctypes
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from .abi import int64s
from .dtypes import DType, dtype_of
from .errors import ArgumentMismatch, HandleClosed
from .event import Event
from .fastpath import fast
from .handle import CLOSED, DELETED, Closed
from .host import dense_strides, host_array, rearranged
from .layouts import Layout, buffer_layout, memory_layout, row_major
from .reading import HostRead, address_of, shaped, viewable
from .spec import Spec

if TYPE_CHECKING:
    from .client import Client
    from .device import Device, Memory


class Buffer:
    """An array on a device. Made by ``Client.put`` and by running programs."""

    __slots__ = ("__weakref__", "_handle", "_spec")

    def __init__(self, spec: Spec, handle: int) -> None:
        self._spec = spec
        self._handle = handle

    # What it is

    @property
    def dtype(self) -> DType:
        """The element type, as its standard name."""
        return self._spec.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimensions."""
        return self._spec.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._spec.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._spec.size

    @property
    def nbytes(self) -> int:
        """Bytes of the elements on the host."""
        return self._spec.nbytes

    @property
    def device(self) -> Device:
        """Where it is."""
        return self._spec.device

    @property
    def memory(self) -> Memory:
        """The memory it is in."""
        return self._spec.memory or self._spec.device.default_memory

    @property
    def client(self) -> Client:
        """Whose it is."""
        return self._spec.client

    @property
    def closed(self) -> bool:
        """Whether it was closed, deleted or donated."""
        return not self._handle

    def __repr__(self) -> str:
        return f"<Buffer {self._spec}{' (' + self._spec.state + ')' if self._spec.state else ''}>"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar buffer has no length")
        return self.shape[0]

    def _live(self) -> int:
        handle = self._handle
        if not handle:
            why = handle.why if isinstance(handle, Closed) else "holds nothing"
            raise HandleClosed(f"this buffer ({self._spec}) {why}")
        if not self._spec.client._handle:
            raise HandleClosed(f"the client of this buffer ({self._spec}) was closed")
        return handle

    def _end(self, closed: Closed) -> None:
        # The kind first: a call that still sees the old kind afterwards has seen the live handle before.
        self._spec = self._spec.ended(closed.why)
        self._handle = closed

    # Ending it

    def close(self) -> None:
        """Gives it up; device memory goes with the last view or call that still uses it."""
        if self._handle:
            self._end(CLOSED)

    def delete(self) -> None:
        """Frees the device memory now, for every holder; running programs that use it finish first."""
        self.client.api.call("PJRT_Buffer_Delete", buffer=self._live())
        self._end(DELETED)

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Waiting

    def ready(self) -> Event:
        """The event of its contents being there (or having failed)."""
        calls = self.client._calls
        return Event(calls.events, calls.ready_event(self._live()))

    def is_ready(self) -> bool:
        """Whether its contents are there (or have failed)."""
        return self.ready().done()

    def wait(self, timeout: float | None = None) -> Buffer:
        """Waits for the contents; raises the error their computation ended with."""
        self._settle(self._live(), timeout)
        return self

    def _settle(self, handle: int, timeout: float | None = None) -> None:
        calls = self._spec.client._calls
        if timeout is None:
            calls.settle(handle)
        else:
            Event(calls.events, calls.ready_event(handle)).wait(timeout)

    def __await__(self) -> Generator[Any, None, Buffer]:
        yield from self.ready().__await__()
        return self

    # Reading

    def to_host(self, out: Any = None) -> memoryview:
        """The contents, row-major, as a new ``memoryview`` of the right shape, or read into ``out``."""
        if out is None:
            raw = bytearray(self.nbytes)
            self._read(address_of(raw), self.nbytes)
            return shaped(raw, self._spec)
        with host_array(out, writable=True) as target:
            if target.strides is not None:
                raise ArgumentMismatch("the array to read into is not contiguous")
            if target.nbytes != self.nbytes:
                raise ArgumentMismatch(
                    f"{self._spec} needs {self.nbytes} bytes, the array to read into has {target.nbytes}"
                )
            if target.dtype not in (self.dtype, "uint8", "int8") and target.dtype.letters and self.dtype.letters:
                raise ArgumentMismatch(f"{self._spec} cannot be read into an array of {target.dtype}")
            self._read(target.address, self.nbytes)
        return out if isinstance(out, memoryview) else memoryview(out) if viewable(out) else shaped(out, self._spec)

    def _read(self, address: int, size: int) -> None:
        handle = self._live()
        spec = self._spec
        if not size:
            self._settle(handle)
        elif spec.on_host:
            self._settle(handle)
            ctypes.memmove(address, spec.client._calls.pointer(handle), size)
        else:
            self._start_read(handle, address, size).wait()
            self._order(address)

    def _order(self, address: int) -> None:
        """Puts what was read into row-major order where the plugin did not."""
        spec = self._spec
        if spec.layout is not None and not spec.client.layout_conversion.on_read:
            row = dense_strides(spec.shape, spec.dtype.itemsize)
            raw = rearranged(address, spec.shape, spec.device_strides, row, spec.dtype.itemsize)
            ctypes.memmove(address, raw, spec.nbytes)

    def _start_read(self, handle: int, address: int, size: int) -> Event:
        client = self.client
        frame = client.api.call(
            "PJRT_Buffer_ToHostBuffer", src=handle, dst=address, dst_size=size,
            host_layout=memory_layout(client.api, row_major(self.ndim)) if self.ndim else None,
        )  # fmt: skip
        return Event(client._calls.events, frame["event"])

    def read(self) -> HostRead:
        """Starts reading and returns at once: ``result()`` waits, and it can be awaited in asyncio."""
        return HostRead(self)

    def read_bytes(self, offset: int, size: int) -> bytes:
        """Raw bytes of the device's own form of the contents."""
        out = ctypes.create_string_buffer(max(size, 1))
        frame = self.client.api.call(
            "PJRT_Buffer_CopyRawToHost", buffer=self._live(), dst=out, offset=offset, transfer_size=size
        )
        Event(self.client._calls.events, frame["event"]).wait()
        return out.raw[:size]

    def tolist(self) -> Any:
        """The contents as nested lists; only for types Python has."""
        from .convert import to_list

        return to_list(self.to_host(), self._spec)

    def item(self) -> Any:
        """The one element, as a Python number."""
        if self.size != 1:
            raise ArgumentMismatch(f"{self._spec} has {self.size} elements, not one")
        value = self.tolist()
        while isinstance(value, list):
            value = value[0]
        return value

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    # Sharing

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        small = self._spec.small
        if small is not None and dtype is None and copy is None:
            frombuffer, read, nbytes, kind, shape = small
            array = frombuffer(read(self._live(), nbytes), kind)
            return array if shape is None else array.reshape(shape)
        from .convert import to_numpy

        return to_numpy(self, dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        from .dlpack import export

        return export(self, **options)

    def __dlpack_device__(self) -> tuple[int, int]:
        from .dlpack import device_of

        return device_of(self)

    # No `__buffer__`: from Python 3.12 on NumPy would take it before `__array__`, and it cannot say bfloat16.

    # The device's side

    @property
    def layout(self) -> Layout | None:
        """How the elements lie on the device; None where the plugin does not say."""
        return buffer_layout(self.client.api, self._live())

    @property
    def on_device_nbytes(self) -> int:
        """Bytes it takes on the device, padding included."""
        return int(
            self.client.api.call("PJRT_Buffer_OnDeviceSizeInBytes", buffer=self._live())["on_device_size_in_bytes"]
        )

    @property
    def is_on_cpu(self) -> bool:
        """Whether the host can read its memory."""
        return bool(self.client.api.call("PJRT_Buffer_IsOnCpu", buffer=self._live())["is_on_cpu"])

    @property
    def unpadded_shape(self) -> tuple[int, ...]:
        """The dimensions without padding of dynamic ones."""
        from .abi import read_int64s

        frame = self.client.api.call("PJRT_Buffer_UnpaddedDimensions", buffer=self._live())
        return read_int64s(frame["unpadded_dims"], frame["num_dims"])

    @property
    def dynamic_dimensions(self) -> tuple[int, ...]:
        """Which dimensions are dynamic."""
        from .abi import read_int64s

        frame = self.client.api.call("PJRT_Buffer_DynamicDimensionIndices", buffer=self._live())
        return read_int64s(frame["dynamic_dim_indices"], frame["num_dynamic_dims"])

    def device_pointer(self) -> int:
        """The address in device memory, once the contents are there; valid while this buffer lives."""
        handle = self._live()
        self._settle(handle)
        frame = self.client.api.call("PJRT_Buffer_OpaqueDeviceMemoryDataPointer", buffer=handle)
        return int(frame["device_memory_ptr"])

    def copy_to(self, place: Device | Memory) -> Buffer:
        """A copy on another device or in another memory."""
        from .device import Device

        return self._to(place, None) if isinstance(place, Device) else self._to(place.devices[0], place)

    def _to(self, device: Device, memory: Memory | None) -> Buffer:
        spec = self._spec
        handle = self._live()
        if device.client is not spec.client:
            raise ArgumentMismatch(f"{device!r} belongs to another client than {spec}")
        if device is spec.device and (memory is None or memory is self.memory):
            return self
        if memory is not None:
            frame = self.client.call("PJRT_Buffer_CopyToMemory", buffer=handle, dst_memory=memory._pointer)
        else:
            frame = self.client.call("PJRT_Buffer_CopyToDevice", buffer=handle, dst_device=device._pointer)
        return Buffer(
            self.client._spec(spec.dtype, spec.shape, device, memory, spec.layout),
            self.client._calls.handle(frame["dst_buffer"]),
        )

    def bitcast(self, dtype: Any, shape: Sequence[int]) -> Buffer:
        """The same bytes as another type and shape; needs PJRT 0.98."""
        element, dims = dtype_of(dtype), tuple(shape)
        client = self.client
        frame = client.call(
            "PJRT_Buffer_Bitcast", buffer=self._live(), element_type=element.code, dims=int64s(dims), num_dims=len(dims)
        )
        return Buffer(
            client._spec(element, dims, self.device, self._spec.memory), client._calls.handle(frame["out_buffer"])
        )

    def wait_on_stream(self, stream: int) -> None:
        """Makes a device stream wait for the contents, without waiting on the host."""
        self.client.plugin.call_extension(
            "Stream", "wait_stream", "PJRT_Wait_Until_Buffer_Ready_On_Stream_Args", stream=stream, buffer=self._live()
        )


if fast is not None:
    fast.bind(Buffer)
