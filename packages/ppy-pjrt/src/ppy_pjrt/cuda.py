"""The CUDA driver API, as much as launching kernels from FFI handlers needs: modules, launches, streams, copies.

Nothing is loaded on import. Parameters of a kernel are ctypes values (their width is the kernel's), or anything with a
device address: FFI buffers, buffers, objects with ``__cuda_array_interface__``. A bare Python number is refused,
because its width is anybody's guess.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from .errors import ArgumentMismatch, PjrtError, Unavailable

LIBRARY_VARIABLE = "PPY_PJRT_LIBCUDA"


class CudaError(PjrtError):
    """A driver call that failed; ``number`` is the CUresult."""

    code = "INTERNAL"

    def __init__(self, message: str, number: int = 0) -> None:
        super().__init__(message)
        self.number = number


@cache
def _library() -> Any:
    name = os.environ.get(LIBRARY_VARIABLE) or "libcuda.so.1"
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise Unavailable(f"there is no CUDA driver on this machine ({name}: {error})") from None


def available() -> bool:
    """Whether a driver is there and starts."""
    try:
        _start()
    except PjrtError:
        return False
    return True


@cache
def _start() -> None:
    _check("cuInit", _library().cuInit(0))


def _check(what: str, number: int) -> None:
    if not number:
        return
    library = _library()
    text = ctypes.c_char_p()
    try:
        library.cuGetErrorString(number, ctypes.byref(text))
    except AttributeError:
        pass  # a driver without the entry: the number says enough
    raise CudaError(f"{what} failed with {number}: {(text.value or b'unknown').decode()}", number)


def _call(name: str, *args: Any) -> None:
    _start()
    _check(name, getattr(_library(), name)(*args))


def driver_version() -> tuple[int, int]:
    """The CUDA version the driver supports."""
    number = ctypes.c_int()
    _call("cuDriverGetVersion", ctypes.byref(number))
    return number.value // 1000, number.value % 1000 // 10


class Module:
    """Loaded device code: PTX text, a cubin or a fat binary."""

    def __init__(self, image: str | bytes) -> None:
        code = image.encode() if isinstance(image, str) else bytes(image)
        self._image = ctypes.create_string_buffer(code)
        handle = ctypes.c_void_p()
        _call("cuModuleLoadData", ctypes.byref(handle), self._image)
        self._handle: int | None = handle.value

    def function(self, name: str) -> Function:
        """A kernel of the module."""
        if self._handle is None:
            raise CudaError("this module was unloaded")
        handle = ctypes.c_void_p()
        _call("cuModuleGetFunction", ctypes.byref(handle), ctypes.c_void_p(self._handle), name.encode())
        return Function(self, handle.value or 0, name)

    def unload(self) -> None:
        """Unloads it; its functions may not be launched any more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            _call("cuModuleUnload", ctypes.c_void_p(handle))

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *_: object) -> None:
        self.unload()


class Function:
    """A kernel; it keeps its module loaded."""

    def __init__(self, module: Module, handle: int, name: str) -> None:
        self.module = module
        self.name = name
        self._handle = handle

    def launch(
        self, grid: int | Sequence[int], block: int | Sequence[int], params: Sequence[Any] = (), *, stream: int = 0,
        shared_bytes: int = 0,
    ) -> None:  # fmt: skip
        """Starts it on a stream and returns at once."""
        if self.module._handle is None:
            raise CudaError(f"the module of {self.name} was unloaded")
        values = [parameter(value) for value in params]
        row = (ctypes.c_void_p * max(len(values), 1))(*(ctypes.addressof(value) for value in values))
        _call(
            "cuLaunchKernel", ctypes.c_void_p(self._handle), *dimensions(grid), *dimensions(block),
            ctypes.c_uint(shared_bytes), ctypes.c_void_p(stream), row if values else None, None,
        )  # fmt: skip


def dimensions(given: int | Sequence[int]) -> tuple[ctypes.c_uint, ...]:
    """One to three extents as three."""
    values = (given,) if isinstance(given, int) else tuple(given)
    if not 1 <= len(values) <= 3 or any(not isinstance(v, int) or v < 1 for v in values):
        raise ArgumentMismatch(f"{given!r} is no grid or block: one to three integers from 1")
    return tuple(ctypes.c_uint(value) for value in (*values, 1, 1)[:3])


def parameter(value: Any) -> Any:
    """A kernel parameter as a ctypes value."""
    if isinstance(value, (ctypes._SimpleCData, ctypes.Structure, ctypes.Array)):
        return value
    if isinstance(value, (bool, int, float)):
        raise ArgumentMismatch(
            f"kernel parameter {value!r} has no width; give ctypes.c_int32(...), c_float(...) or the like"
        )
    if isinstance(getattr(value, "data", None), int) and hasattr(value, "nbytes"):
        return ctypes.c_void_p(value.data)
    interface = getattr(value, "__cuda_array_interface__", None)
    if isinstance(interface, dict):
        return ctypes.c_void_p(interface["data"][0])
    if hasattr(value, "device_pointer"):
        return ctypes.c_void_p(value.device_pointer())
    raise ArgumentMismatch(f"a {type(value).__name__} cannot be a kernel parameter")


class Stream:
    """A stream of one's own."""

    def __init__(self, *, blocking: bool = False) -> None:
        handle = ctypes.c_void_p()
        _call("cuStreamCreate", ctypes.byref(handle), ctypes.c_uint(0 if blocking else 1))
        self.handle: int = handle.value or 0

    def synchronize(self) -> None:
        """Waits for everything on it."""
        synchronize(self.handle)

    def close(self) -> None:
        """Destroys it once its work is done."""
        handle, self.handle = self.handle, 0
        if handle:
            _call("cuStreamDestroy_v2", ctypes.c_void_p(handle))

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def synchronize(stream: int) -> None:
    """Waits for everything on a stream."""
    _call("cuStreamSynchronize", ctypes.c_void_p(stream))


def copy_on_device(target: int, source: int, nbytes: int, stream: int = 0) -> None:
    """Copies device memory on a stream."""
    _call(
        "cuMemcpyDtoDAsync_v2", ctypes.c_void_p(target), ctypes.c_void_p(source), ctypes.c_size_t(nbytes),
        ctypes.c_void_p(stream),
    )  # fmt: skip


def copy_to_host(target: Any, source: int, nbytes: int | None = None) -> None:
    """Copies device memory into a writable host array."""
    from .host import host_array

    with host_array(target, writable=True) as array:
        size = array.nbytes if nbytes is None else nbytes
        if size > array.nbytes or array.strides is not None:
            raise ArgumentMismatch(f"{size} bytes do not fit the host array of {array.nbytes} contiguous bytes")
        _call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.address), ctypes.c_void_p(source), ctypes.c_size_t(size))


def copy_to_device(target: int, source: Any) -> None:
    """Copies a host array to device memory."""
    from .host import host_array

    with host_array(source) as array:
        if array.strides is not None:
            raise ArgumentMismatch("the host array is not contiguous")
        _call("cuMemcpyHtoD_v2", ctypes.c_void_p(target), ctypes.c_void_p(array.address), ctypes.c_size_t(array.nbytes))
