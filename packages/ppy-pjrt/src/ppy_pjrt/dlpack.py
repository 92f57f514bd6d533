"""DLPack in both directions, versioned and not, with lifetimes that cannot dangle.

Exporting: the capsule owns the C buffer and, through it, the client, whatever the user closes meanwhile, and an
external reference keeps programs from reusing the memory by donation. Importing: the plugin's buffer releases the
producer's tensor when it is really gone. A view that cannot be honoured (other device, strides with gaps, alignment)
is refused with the numbers involved.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .abi import int64s
from .dtypes import BY_DLPACK, DType
from .errors import ArgumentMismatch, HandleClosed, PjrtError, Unsupported
from .host import HostArray
from .layouts import memory_layout
from .spec import Spec

if TYPE_CHECKING:
    from .buffer import Buffer
    from .client import Client
    from .device import Device

# XLA's CPU code is compiled for arrays that start on such a boundary.
ALIGNMENT = 64

CPU, CUDA, CUDA_HOST, ROCM, CUDA_MANAGED = 1, 2, 3, 10, 13
_PLATFORMS = {CPU: "cpu", CUDA: "cuda", CUDA_HOST: "cuda", CUDA_MANAGED: "cuda", ROCM: "rocm"}
_READ_ONLY = 1


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    )  # fmt: skip


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_ON_DELETE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_python = ctypes.pythonapi
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", _python)
)
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _python))

# Capsule names are C strings that the capsule only points at: these live as long as the process.
_NAMES = {"dltensor": _Managed, "dltensor_versioned": _Versioned}
_C_NAMES = {name: ctypes.create_string_buffer(name.encode()) for name in (*_NAMES, *("used_" + n for n in _NAMES))}


def _c_name(name: str) -> ctypes.c_char_p:
    return ctypes.cast(_C_NAMES[name], ctypes.c_char_p)


class Claim:
    """An external reference to a buffer: it can be neither freed nor given away while one exists."""

    __slots__ = ("_client", "_handle")

    def __init__(self, client: Client, handle: int) -> None:
        client._calls.claim(handle)
        self._client = client
        self._handle = handle

    def __del__(self) -> None:
        client = getattr(self, "_client", None)
        if client is not None and not client.api.forked:
            client._calls.disclaim(self._handle)


# Exported tensors by address (the capsule last), and releases of imported ones by token. Entries go when the other side
# lets go.
_exports: dict[int, tuple[Any, ...]] = {}
_imports: dict[int, Callable[[], object]] = {}
_tokens = itertools.count(1)


def live_exports() -> int:
    """How many exported tensors are still held by a consumer or an unconsumed capsule."""
    _sweep()
    return len(_exports)


def live_imports() -> int:
    """How many adopted tensors still have a buffer."""
    return len(_imports)


def _export_deleter(address: int) -> None:
    _exports.pop(address, None)


_KEPT = (object(),)
_ONLY_OURS = sys.getrefcount(_KEPT[-1])


def _sweep(phase: str = "stop", _: object = None) -> None:
    """Ends exports whose capsule nobody has taken and nobody holds any more.

    A destructor of the capsule would be called with the exception set that the consumer refused it with, and no code in
    Python can give that back.
    """
    if phase == "stop" and _exports:
        # The keys first: other threads, and collections in the middle of this, sweep too.
        for address in list(_exports):
            entry = _exports.get(address, _KEPT)
            if sys.getrefcount(entry[-1]) == _ONLY_OURS and any(_valid(entry[-1], name.encode()) for name in _NAMES):
                _exports.pop(address, None)


gc.callbacks.append(_sweep)


def _on_delete(_: int, token: int) -> None:
    release = _imports.pop(token, None)
    if release is not None:
        release()


# Called by consumers and plugins for as long as the process lives.
_pointers = (_DELETER(_export_deleter), _ON_DELETE(_on_delete))
_export_deleter_address, _on_delete_address = (ctypes.cast(pointer, ctypes.c_void_p).value for pointer in _pointers)


# Exporting


def device_of(buffer: Buffer) -> tuple[int, int]:
    """The DLPack device of a buffer."""
    spec = buffer._spec
    platform = spec.device.platform
    if platform == "cpu":
        return CPU, 0
    if platform in ("cuda", "rocm"):
        if spec.memory is not None and "host" in spec.memory.kind:
            return CUDA_HOST, 0
        return (CUDA if platform == "cuda" else ROCM), spec.device.local_hardware_id
    raise Unsupported(f"DLPack has no device for {spec.device!r}; read the buffer with to_host()", "__dlpack__")


def export(
    buffer: Buffer, *, stream: Any = None, max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None, copy: bool | None = None,
) -> Any:  # fmt: skip
    """``Buffer.__dlpack__``: waits for the contents, so the consumer's stream needs no handshake."""
    spec = buffer._spec
    if copy:
        raise BufferError("copy=True: read the buffer with to_host() instead")
    device = device_of(buffer)
    if dl_device is not None and tuple(dl_device) != device:
        raise BufferError(f"the buffer is on DLPack device {device}, not {tuple(dl_device)}")
    if spec.dtype.dlpack is None:
        raise BufferError(f"DLPack has no type for {spec.dtype}")
    handle = buffer._live()
    buffer._settle(handle)
    versioned = max_version is not None and max_version[0] >= 1
    holder: Any = _Versioned() if versioned else _Managed()
    tensor = holder.tensor
    shape, strides = int64s(spec.shape), int64s([stride // spec.dtype.itemsize for stride in spec.device_strides])
    tensor.data = spec.client._calls.pointer(handle) if spec.nbytes else None
    tensor.device_type, tensor.device_id = device
    tensor.ndim, tensor.code, tensor.bits, tensor.lanes = len(spec.shape), spec.dtype.dlpack, spec.dtype.bits, 1
    tensor.shape, tensor.strides = ctypes.addressof(shape), ctypes.addressof(strides)
    holder.deleter = _export_deleter_address
    if versioned:
        holder.major, holder.minor, holder.flags = 1, 0, _READ_ONLY
    address = ctypes.addressof(holder)
    capsule = _new(address, _c_name("dltensor_versioned" if versioned else "dltensor"), None)
    _sweep()
    _exports[address] = (holder, shape, strides, Claim(spec.client, handle), capsule)
    return capsule


# Importing


@contextmanager
def _told(data: Any) -> Iterator[None]:
    """What a producer raises (a deleted array, one that needs gradients), as this client's exception."""
    try:
        yield
    except PjrtError:
        raise
    except Exception as error:
        raise ArgumentMismatch(
            f"a {type(data).__name__} cannot be had through DLPack: {type(error).__name__}: {error}"
        ) from error


def _place(data: Any) -> tuple[int, int]:
    """The DLPack device of an array."""
    with _told(data):
        kind, number = data.__dlpack_device__() if hasattr(data, "__dlpack_device__") else (CPU, 0)
        return int(kind), int(number)


class _Capsule:
    """A consumed capsule: the tensor, and its producer's deleter to be called once."""

    def __init__(self, data: Any, device: tuple[int, int]) -> None:
        stream = {"stream": 1} if device[0] in (CUDA, CUDA_MANAGED) else {}
        with _told(data):
            try:
                self.capsule = data.__dlpack__(max_version=(1, 0), **stream)
            except TypeError:
                self.capsule = data.__dlpack__(**stream)
        for name in _NAMES:
            if _valid(self.capsule, name.encode()):
                self.name, self.address = name, _get(self.capsule, name.encode())
                break
        else:
            raise HandleClosed("this DLPack capsule was already consumed, or is none")
        self.holder: Any = _NAMES[self.name].from_address(self.address)
        if self.name == "dltensor_versioned" and self.holder.major > 1:
            raise Unsupported(
                f"the tensor is DLPack {self.holder.major}.{self.holder.minor}; this client reads 1.x", "dlpack"
            )
        self.tensor = self.holder.tensor

    def consume(self) -> None:
        """Takes the tensor over: from here on ``release`` is ours to call."""
        _rename(self.capsule, _c_name("used_" + self.name))

    def release(self) -> None:
        """Gives the tensor back to its producer."""
        if self.holder.deleter:
            _DELETER(self.holder.deleter)(self.address)

    def facts(self) -> tuple[DType, tuple[int, ...], tuple[int, ...] | None, int]:
        """Element type, shape, strides in elements (None: row-major), address."""
        tensor = self.tensor
        dtype = BY_DLPACK.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
        if dtype is None:
            raise ArgumentMismatch(
                f"DLPack type code {tensor.code}, {tensor.bits} bits, {tensor.lanes} lanes is none of XLA's"
            )
        shape = tuple((ctypes.c_int64 * tensor.ndim).from_address(tensor.shape)) if tensor.ndim else ()
        strides = (
            tuple((ctypes.c_int64 * tensor.ndim).from_address(tensor.strides))
            if tensor.strides and tensor.ndim
            else None
        )
        return dtype, shape, strides, (tensor.data or 0) + tensor.byte_offset


def adopt(client: Client, data: Any, device: Device | None) -> Buffer:
    """``Client.from_dlpack``."""
    from .create import check_type

    client._live()
    place = _place(data)
    target = _target(client, place, device)
    capsule = _Capsule(data, place)
    dtype, shape, strides, address = capsule.facts()
    check_type(client, dtype)
    order = _order(shape, strides)
    spec = client._spec(dtype, shape, target, None, order)
    if target.platform == "cpu" and address % ALIGNMENT and spec.nbytes:
        raise ArgumentMismatch(
            f"the array starts {address % ALIGNMENT} bytes after a {ALIGNMENT}-byte boundary, which the CPU's code "
            f"relies on; client.put(array) copies it"
        )
    capsule.consume()
    try:
        return view_of(spec, address, capsule.release, stream=1 if place[0] in (CUDA, CUDA_MANAGED) else 0)
    except PjrtError:
        _rename(capsule.capsule, _c_name(capsule.name))
        raise


def _target(client: Client, place: tuple[int, int], device: Device | None) -> Device:
    platform = _PLATFORMS.get(place[0])
    if platform != client.platform:
        raise ArgumentMismatch(
            f"the array is on DLPack device {place} ({platform or 'none of XLA'}), the client is for {client.platform}"
        )
    if device is not None and device.client is not client:
        raise ArgumentMismatch(f"{device!r} belongs to another client")
    if platform == "cpu":
        return device or client.devices[0]
    found = next((item for item in client.devices if item.local_hardware_id == place[1]), None)
    if found is None or (device is not None and device is not found):
        raise ArgumentMismatch(f"the array is on device {place[1]}, not on {device or client.devices}")
    return found


def _order(shape: tuple[int, ...], strides: tuple[int, ...] | None) -> tuple[int, ...] | None:
    from .signature import canonical

    if strides is None or 0 in shape:
        return None
    axes = sorted(range(len(shape)), key=lambda axis: (strides[axis], shape[axis] != 1, -axis))
    step = 1
    for axis in axes:
        if shape[axis] != 1 and strides[axis] != step:
            raise ArgumentMismatch(
                f"strides {strides} of shape {shape} leave gaps or repeat elements; client.put(array) copies them"
            )
        step *= shape[axis]
    return canonical(tuple(axes), shape)


def view_of(spec: Spec, address: int, release: Callable[[], object], stream: int = 0) -> Buffer:
    """A buffer over memory of someone else; ``release`` is called once, when the plugin is done with it."""
    from .buffer import Buffer

    client = spec.client
    token = next(_tokens)
    _imports[token] = release
    order = spec.layout if spec.layout is not None else tuple(range(len(spec.shape) - 1, -1, -1))
    try:
        frame = client.api.call(
            "PJRT_Client_CreateViewOfDeviceBuffer", client=client._live(), device_buffer_ptr=address,
            dims=int64s(spec.shape), num_dims=len(spec.shape), element_type=spec.dtype.code,
            layout=memory_layout(client.api, order), device=spec.device._pointer,
            on_delete_callback=_on_delete_address, on_delete_callback_arg=token, stream=stream,
        )  # fmt: skip
    except BaseException:
        _imports.pop(token, None)
        raise
    return Buffer(spec, client._calls.handle(frame["buffer"]))


def host_view(data: Any) -> HostArray:
    """A CPU tensor of another library as a host array."""
    place = _place(data)
    if place[0] != CPU:
        raise ArgumentMismatch(f"the array is on DLPack device {place}; move it to the CPU, or use client.from_dlpack")
    capsule = _Capsule(data, place)
    dtype, shape, strides, address = capsule.facts()
    capsule.consume()
    scaled = None if strides is None else tuple(stride * dtype.itemsize for stride in strides)
    return HostArray(address, dtype, shape, scaled, capsule.release)
