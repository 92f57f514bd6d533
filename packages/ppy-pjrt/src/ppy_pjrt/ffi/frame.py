"""Call frames: what a handler is given, decoded when asked for. Everything in one is valid during the call only."""

from __future__ import annotations

import ctypes
import math
import struct
from enum import IntEnum
from functools import cached_property
from typing import Any

from ..abi import Frame, enum, layout, read_bytes, read_int64s, read_pointers
from ..dtypes import DType, dtype_of_xla
from ..errors import HandleClosed, InvalidArgument, PjrtError
from ..host import view_as
from .host import Host, host_at, objects

_STAGES = {name: value for name, (value, _) in enum("XLA_FFI_ExecutionStage").items()}


class Stage(IntEnum):
    """When a handler is called."""

    INSTANTIATE = _STAGES["INSTANTIATE"]
    PREPARE = _STAGES["PREPARE"]
    INITIALIZE = _STAGES["INITIALIZE"]
    EXECUTE = _STAGES["EXECUTE"]
    RECORD = _STAGES["RECORD"]


class FfiBuffer:
    """An argument or result: type, shape and address in device memory."""

    __slots__ = ("_call", "data", "dtype", "shape")

    def __init__(self, address: int, call: Call) -> None:
        frame = Frame.at(layout("XLA_FFI_Buffer"), address)
        self.dtype: DType = dtype_of_xla(frame["dtype"])
        self.data: int = frame["data"]
        self.shape: tuple[int, ...] = read_int64s(frame["dims"], frame["rank"])
        self._call = call

    @property
    def _on_host(self) -> bool:
        self._call._frame  # noqa: B018 - after the call the memory is someone else's
        return self._call._platform == "Host"

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements; packed where they are narrower than a byte."""
        return -(-self.size * self.dtype.bits // 8)

    def bytes(self) -> memoryview:
        """The memory itself, as bytes that can be written; CPU only."""
        if not self._on_host:
            raise InvalidArgument("this buffer is in device memory; use its address on the call's stream")
        return memoryview((ctypes.c_ubyte * self.nbytes).from_address(self.data) if self.nbytes else bytearray()).cast(
            "B"
        )

    def view(self) -> memoryview:
        """The memory as elements, in its shape where Python has the format; CPU only."""
        raw, form = self.bytes(), self.dtype.letters
        if not form or form == "e" or form.startswith("Z") or not raw.nbytes:
            return raw
        return view_as(raw, form, self.shape)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if not self._on_host:
            raise AttributeError("__array_interface__: the buffer is in device memory")
        return {"version": 3, "shape": self.shape, "typestr": self._typestr(), "data": (self.data, False)}

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._on_host:
            raise AttributeError("__cuda_array_interface__: the buffer is in host memory")
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": self._typestr(),
            "data": (self.data, False),
            "strides": None,
        }

    def _typestr(self) -> str:
        kind = self.dtype.rstrip("0123456789")
        letter = {"bool": "b", "int": "i", "uint": "u", "float": "f", "complex": "c"}.get(kind, "V")
        return (
            f"{'|' if self.itemsize == 1 else '<'}{letter}{self.itemsize}"
            if self.dtype.letters
            else f"|V{self.itemsize}"
        )

    def __repr__(self) -> str:
        return f"<FfiBuffer {self.dtype}{list(self.shape)} at {self.data:#x}>"


class Call:
    """One call of a handler."""

    def __init__(self, address: int, platform: str, state_type: int = 0) -> None:
        self._open: Frame | None = Frame.at(layout("XLA_FFI_CallFrame"), address)
        self._platform = platform
        self._state_type = state_type
        self.stage = Stage(self._frame["stage"])

    @property
    def _frame(self) -> Frame:
        if self._open is None:
            raise HandleClosed("this call of a handler is over, and with it what its arguments and results point at")
        return self._open

    def end(self) -> None:
        """The handler has returned: nothing is reached through this object any more."""
        self._open = None
        for name in ("args", "results"):
            self.__dict__.pop(name, None)

    @cached_property
    def host(self) -> Host:
        """The plugin's FFI."""
        return host_at(self._frame["api"])

    def _buffers(self, group: str) -> tuple[FfiBuffer, ...]:
        places = read_pointers(self._frame[f"{group}.{group}"], self._frame[f"{group}.size"])
        return tuple(FfiBuffer(place, self) for place in places)

    @cached_property
    def args(self) -> tuple[FfiBuffer, ...]:
        """The arguments; empty before the execute stage."""
        return self._buffers("args")

    @cached_property
    def results(self) -> tuple[FfiBuffer, ...]:
        """The results to write."""
        return self._buffers("rets")

    @cached_property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the custom call: numbers, strings, lists and dictionaries."""
        offset = layout("XLA_FFI_CallFrame").fields["attrs.struct_size"].offset
        return _attributes(self._frame.address + offset)

    @property
    def stream(self) -> int:
        """The platform's stream (CUDA: a CUstream) that the work belongs on."""
        return int(self.host.call("XLA_FFI_Stream_Get", ctx=self._frame["ctx"])["stream"])

    @property
    def device_ordinal(self) -> int:
        """The device's number."""
        return int(self.host.call("XLA_FFI_DeviceOrdinal_Get", ctx=self._frame["ctx"])["device_ordinal"])

    @property
    def run_id(self) -> int:
        """The number of this execution."""
        return int(self.host.call("XLA_FFI_RunId_Get", ctx=self._frame["ctx"])["run_id"])

    def allocate(self, size: int, alignment: int = 64) -> int:
        """Scratch device memory for this call."""
        frame = self.host.call("XLA_FFI_DeviceMemory_Allocate", ctx=self._frame["ctx"], size=size, alignment=alignment)
        return int(frame["data"])

    def free(self, address: int, size: int) -> None:
        """Gives scratch memory back."""
        self.host.call("XLA_FFI_DeviceMemory_Free", ctx=self._frame["ctx"], size=size, data=address)

    @property
    def state(self) -> Any:
        """What the handler's ``instantiate`` returned; None where it has none."""
        if not self._state_type:
            return None
        kind = ctypes.c_int64(self._state_type)
        frame = self.host.call(
            "XLA_FFI_State_Get",
            ctx=self._frame["ctx"],
            stage=Stage["INSTANTIATE"].value,
            type_id=ctypes.addressof(kind),
        )
        return objects.get(frame["state"])

    def user_data(self, key: Any) -> Any:
        """The object that the execution's context holds for a ``UserData`` key; None where it has none."""
        kind = ctypes.c_int64(key.type_id)
        try:
            frame = self.host.call("XLA_FFI_InvokeContext_Get", ctx=self._frame["ctx"], type_id=ctypes.addressof(kind))
        except PjrtError:
            return None
        return objects.get(frame["data"])


def _attributes(address: int) -> dict[str, Any]:
    frame = Frame.at(layout("XLA_FFI_Attrs"), address)
    count: int = frame["size"]
    kinds = struct.unpack(f"{count}i", read_bytes(frame["types"], 4 * count))
    found: dict[str, Any] = {}
    for kind, name, place in zip(
        kinds, read_pointers(frame["names"], count), read_pointers(frame["attrs"], count), strict=True
    ):
        found[_span(name).decode()] = _attribute(kind, place)
    return found


def _span(address: int) -> bytes:
    frame = Frame.at(layout("XLA_FFI_ByteSpan"), address)
    return read_bytes(frame["ptr"], frame["len"])


_KINDS = {value: name for name, (value, _) in enum("XLA_FFI_AttrType").items()}


def _attribute(kind: int, address: int) -> Any:
    name = _KINDS.get(kind)
    if name == "STRING":
        raw = _span(address)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw
    if name == "DICTIONARY":
        return _attributes(address)
    if name == "SCALAR":
        frame = Frame.at(layout("XLA_FFI_Scalar"), address)
        return _numbers(dtype_of_xla(frame["dtype"]), frame["value"], 1)[0]
    if name == "ARRAY":
        frame = Frame.at(layout("XLA_FFI_Array"), address)
        return _numbers(dtype_of_xla(frame["dtype"]), frame["data"], frame["size"])
    raise InvalidArgument(f"an attribute of FFI kind {kind} is not known to this client")


def _numbers(dtype: DType, address: int, count: int) -> list[Any]:
    form, raw = dtype.letters, read_bytes(address, count * dtype.itemsize)
    if form.startswith("Z"):
        parts = struct.unpack(f"{2 * count}{form[1]}", raw)
        return [complex(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    if dtype == "bfloat16":
        return [struct.unpack("<f", b"\0\0" + raw[at : at + 2])[0] for at in range(0, len(raw), 2)]
    return list(struct.unpack(f"{count}{form}", raw)) if form else list(raw)
