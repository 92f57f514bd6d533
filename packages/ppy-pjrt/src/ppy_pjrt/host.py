"""Host arrays: anything with the buffer protocol, an array interface or DLPack, as address, type, shape and strides.

Guarantees that dtype, shape and byte size agree before any address reaches a plugin, and that the memory stays pinned
(the exporter cannot resize or free it) until ``release``.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any

from .dtypes import DType, dtype_of, dtype_of_format
from .errors import ArgumentMismatch


class PyBuffer(ctypes.Structure):
    """CPython's ``Py_buffer``."""

    _fields_ = (
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    )  # fmt: skip


FORMAT, ND, STRIDES, CONTIGUOUS, WRITABLE = 0x4, 0x8, 0x18, 0x38, 0x1
get_buffer = ctypes.pythonapi.PyObject_GetBuffer
get_buffer.argtypes = (ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
get_buffer.restype = ctypes.c_int
release_buffer = ctypes.pythonapi.PyBuffer_Release
release_buffer.argtypes = (ctypes.c_void_p,)
release_buffer.restype = None


class HostArray:
    """A pinned host array; ``strides`` is None where elements lie row-major without gaps."""

    __slots__ = ("_release", "address", "dtype", "readonly", "shape", "strides")

    def __init__(
        self, address: int, dtype: DType, shape: tuple[int, ...], strides: tuple[int, ...] | None,
        release: Callable[[], object], readonly: bool = True,
    ) -> None:  # fmt: skip
        self.address = address
        self.dtype = dtype
        self.shape = shape
        self.strides = None if strides is None or is_dense(shape, strides, dtype.itemsize) else strides
        self.readonly = readonly
        self._release: Callable[[], object] | None = release

    @property
    def nbytes(self) -> int:
        """Bytes of all elements, without gaps."""
        return math.prod(self.shape) * self.dtype.itemsize

    def release(self) -> None:
        """Lets the exporter go, once."""
        release, self._release = self._release, None
        if release is not None:
            release()

    def __enter__(self) -> HostArray:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


def is_dense(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> bool:
    """Whether strides are those of a row-major array; dimensions of size 1 do not count."""
    if 0 in shape:
        return True
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def dense_strides(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    """The byte strides of a row-major array."""
    return tuple(math.prod(shape[axis + 1 :]) * itemsize for axis in range(len(shape)))


def rearranged(address: int, shape: Sequence[int], source: Sequence[int], target: Sequence[int], itemsize: int) -> Any:
    """A C array with the elements at ``source`` strides laid out at ``target`` strides (a permutation without gaps)."""
    out = (ctypes.c_char * max(math.prod(shape) * itemsize, 1))()
    if 0 in shape:
        return out
    low = sum(min(0, (extent - 1) * stride) for extent, stride in zip(shape, source, strict=True))
    high = sum(max(0, (extent - 1) * stride) for extent, stride in zip(shape, source, strict=True)) + itemsize
    unit = math.gcd(8, itemsize, *(abs(stride) for stride in source), abs(low))
    form = {1: "B", 2: "H", 4: "I", 8: "Q"}[unit]
    words = view_as(memoryview((ctypes.c_char * (high - low)).from_address(address + low)), form)
    into = view_as(memoryview(out).cast("B")[: math.prod(shape) * itemsize], form)
    # The longest dimension is copied by strided slices; only the others are walked here.
    axis = max(range(len(shape)), key=lambda at: shape[at], default=-1)
    count, step_in, step_out = (shape[axis], source[axis] // unit, target[axis] // unit) if shape else (1, 1, 1)
    outer = [at for at in range(len(shape)) if at != axis]
    for index in itertools.product(*(range(shape[at]) for at in outer)):
        begin = (sum(i * source[at] for i, at in zip(index, outer, strict=True)) - low) // unit
        place = sum(i * target[at] for i, at in zip(index, outer, strict=True)) // unit
        for word in range(itemsize // unit):
            into[place + word :: max(step_out, 1)][:count] = _strided(words, begin + word, step_in, count)
    return out


def view_as(view: memoryview, form: str, shape: Sequence[int] | None = None) -> memoryview:
    """Bytes as elements of a format, in a shape of more or fewer than one dimension where one is given."""
    raw: Any = view.cast("B")
    found: memoryview = raw.cast(form) if shape is None or len(shape) == 1 else raw.cast(form, shape=tuple(shape))
    return found


def _strided(words: memoryview, begin: int, step: int, count: int) -> memoryview:
    if step == 0:
        return view_as(memoryview(bytearray(bytes(words[begin : begin + 1]) * count)), words.format)
    if step > 0:
        return words[begin : begin + (count - 1) * step + 1 : step]
    last = begin + (count - 1) * step
    return words[last : begin + 1 : -step][::-1]


def host_array(data: Any, dtype: Any = None, shape: Sequence[int] | None = None, writable: bool = False) -> HostArray:
    """A host array of anything that has one; ``dtype`` and ``shape`` reinterpret raw bytes or assert what is there."""
    wanted = None if dtype is None else dtype_of(dtype)
    if isinstance(data, (bool, int, float, complex)):
        return _scalar(data, wanted, shape)
    try:
        found = _from_buffer(data, writable)
    except (TypeError, BufferError, ValueError) as error:
        if isinstance(error, ArgumentMismatch):
            raise
        found = _from_interfaces(data, error, writable)
    return _shaped(found, wanted, shape)


def _from_buffer(data: Any, writable: bool) -> HostArray:
    view = PyBuffer()
    place = ctypes.addressof(view)
    get_buffer(data, place, FORMAT | STRIDES | (WRITABLE if writable else 0))
    try:
        if view.suboffsets:
            raise ArgumentMismatch("a buffer of pointers to rows (suboffsets) has no one place in memory")
        rank = view.ndim
        shape = struct.unpack(f"{rank}q", ctypes.string_at(view.shape, 8 * rank)) if rank else ()
        strides = struct.unpack(f"{rank}q", ctypes.string_at(view.strides, 8 * rank)) if rank else ()
        element = dtype_of_format((view.format or b"B").decode(), view.itemsize)
    except BaseException:
        release_buffer(place)
        raise
    # The view itself is bound into the release: it must outlive the array.
    return HostArray(
        view.buf or 0, element, shape, strides, lambda: release_buffer(ctypes.addressof(view)), bool(view.readonly)
    )


def _from_interfaces(data: Any, cause: Exception, writable: bool) -> HostArray:
    interface = getattr(data, "__array_interface__", None)
    if isinstance(interface, dict) and "data" in interface:
        address, readonly = interface["data"]
        if writable and readonly:
            raise ArgumentMismatch("the array to read into is read-only")
        shape = tuple(interface["shape"])
        strides = interface.get("strides")
        element = dtype_of(getattr(data, "dtype", interface["typestr"]))
        kept = [data]
        return HostArray(address, element, shape, tuple(strides) if strides else None, kept.clear, bool(readonly))
    if hasattr(data, "__dlpack__"):
        from .dlpack import host_view

        return host_view(data)
    if writable and isinstance(cause, BufferError):
        raise ArgumentMismatch(f"the {type(data).__name__} to read into is read-only ({cause})")
    raise ArgumentMismatch(
        f"a {type(data).__name__} is no array: give something with the buffer protocol, NumPy's array interface or "
        f"DLPack ({cause})"
    )


def _scalar(value: complex, wanted: DType | None, shape: Sequence[int] | None) -> HostArray:
    if shape is not None and math.prod(shape) != 1:
        raise ArgumentMismatch(f"one number cannot fill shape {tuple(shape)}")
    element = wanted or dtype_of(type(value))
    raw = ctypes.create_string_buffer(scalar_bytes(value, element), element.itemsize)
    kept: list[object] = [raw]
    return HostArray(ctypes.addressof(raw), element, tuple(shape or ()), None, kept.clear, False)


def scalar_bytes(value: Any, dtype: DType) -> bytes:
    """One number in the host form of an element type; a loss of the value's kind is refused."""
    try:
        if dtype.letters.startswith("Z"):
            number = complex(value)
            return struct.pack("2" + dtype.letters[1], number.real, number.imag)
        if dtype == "bfloat16" and not isinstance(value, complex):
            bits = int.from_bytes(struct.pack("<f", value), "little")
            return (bits + 0x7FFF + (bits >> 16 & 1) >> 16 & 0xFFFF).to_bytes(2, "little")
        if dtype.letters in ("e", "f", "d", "?") or isinstance(value, int):
            return struct.pack(dtype.letters or "b", value)
    except (struct.error, TypeError, OverflowError) as error:
        raise ArgumentMismatch(f"{value!r} is not a value of {dtype}: {error}") from None
    raise ArgumentMismatch(f"{value!r} is not a value of {dtype}")


def _shaped(found: HostArray, wanted: DType | None, shape: Sequence[int] | None) -> HostArray:
    try:
        element = wanted or found.dtype
        target = _reinterpreted(found, element) if shape is None else dims_of(shape)
        held, needed = found.nbytes, math.prod(target) * element.itemsize
        if element != found.dtype and not _raw_as(found.dtype, element):
            raise ArgumentMismatch(f"the array holds {found.dtype}, not {element}")
        if held != needed:
            raise ArgumentMismatch(f"shape {target} of {element} needs {needed} bytes, the array has {held}")
        if (target != found.shape or element != found.dtype) and found.strides is not None:
            raise ArgumentMismatch(
                f"a strided array of {found.dtype}{found.shape} cannot be taken as {element}{target}"
            )
    except BaseException:
        found.release()
        raise
    found.dtype, found.shape = element, target
    return found


def _raw_as(source: DType, target: DType) -> bool:
    """Bytes may be taken as anything; equal sizes as a type that Python has no format for (bfloat16 from uint16)."""
    return source in ("uint8", "int8") or (source.itemsize == target.itemsize and not target.letters)


def _reinterpreted(found: HostArray, element: DType) -> tuple[int, ...]:
    if element.itemsize == found.dtype.itemsize or not found.shape or not element.itemsize:
        return found.shape
    return (*found.shape[:-1], found.shape[-1] * found.dtype.itemsize // element.itemsize)


def dims_of(shape: Sequence[int], itemsize: int = 1) -> tuple[int, ...]:
    """The dimensions a user has given, checked."""
    try:
        target = tuple(map(operator.index, shape))
    except TypeError as error:
        raise ArgumentMismatch(f"{shape!r} is no shape: {error}") from None
    if any(extent < 0 for extent in target) or math.prod(target) * itemsize >= 2**62:
        raise ArgumentMismatch(f"{target} is no shape: dimensions are not negative and all bytes fit 62 bits")
    return target
