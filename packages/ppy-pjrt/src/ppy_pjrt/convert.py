"""Buffers as NumPy arrays and as nested lists."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from .dlpack import Claim
from .errors import ArgumentMismatch
from .spec import Spec

if TYPE_CHECKING:
    from .buffer import Buffer


def to_list(view: memoryview, spec: Spec) -> Any:
    """Nested lists of Python numbers."""
    form = spec.dtype.letters
    raw = view.cast("B") if view.nbytes else b""
    if form.startswith("Z"):
        parts = struct.unpack(f"{2 * spec.size}{form[1]}", raw)
        flat: list[Any] = [complex(real, imag) for real, imag in zip(parts[::2], parts[1::2], strict=True)]
    elif form:
        flat = list(struct.unpack(f"{spec.size}{form}", raw))
    elif spec.dtype == "bfloat16":
        halves = struct.unpack(f"{spec.size}H", raw)
        flat = [struct.unpack("f", struct.pack("I", half << 16))[0] for half in halves]
    elif spec.dtype.startswith(("int", "uint")):
        flat = list(struct.unpack(f"{spec.size}{'b' if spec.dtype.startswith('int') else 'B'}", raw))
    else:
        raise ArgumentMismatch(f"Python has no number for {spec.dtype}; read the bytes, or use NumPy with ml_dtypes")
    return _nest(flat, spec.shape)


def _nest(flat: list[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return flat[0]
    for extent in reversed(shape[1:]):
        flat = [flat[at : at + extent] for at in range(0, len(flat), extent)] if extent else []
    if shape and len(flat) != shape[0]:
        return [_nest([], shape[1:]) for _ in range(shape[0])] if len(shape) > 1 else []
    return flat


class HostView:
    """What a NumPy array over a buffer's own memory holds on to: the memory, and the claim that it stays as it is."""

    __slots__ = ("__array_interface__", "_claim")

    def __init__(self, claim: object, interface: dict[str, Any]) -> None:
        self._claim = claim
        self.__array_interface__ = interface


# Below this size a copy is cheaper than the claim that a view needs.
_COPY_BELOW = 16384

_numpy_types: dict[str, Any] = {}


def to_numpy(buffer: Buffer, dtype: Any, copy: bool | None) -> Any:
    """The contents as a NumPy array: small ones copied, large ones a read-only view where the device is the host."""
    import numpy

    spec = buffer._spec
    kind = _numpy_types.get(spec.dtype) or _numpy_type(numpy, spec)
    if not spec.on_host or copy or not spec.nbytes:
        if copy is False and spec.nbytes:
            raise ValueError(f"copy=False, but {spec} is not plain host memory: an array of it is a copy")
        array = numpy.empty(spec.shape, kind)
        buffer._read(array.ctypes.data, spec.nbytes)
    else:
        handle = buffer._live()
        calls = spec.client._calls
        if spec.nbytes < _COPY_BELOW and copy is None:
            shape = None if len(spec.shape) == 1 else spec.shape
            spec.small = numpy.frombuffer, calls.copy_out, spec.nbytes, kind, shape
            array = numpy.frombuffer(calls.copy_out(handle, spec.nbytes), kind).reshape(spec.shape)
        else:
            calls.settle(handle)
            address = calls.pointer(handle)
            interface = {"version": 3, "shape": spec.shape, "typestr": f"|V{kind.itemsize}", "data": (address, True)}
            array = numpy.asarray(HostView(Claim(spec.client, handle), interface)).view(kind)
    return array if dtype is None else array.astype(dtype, copy=False)


def _numpy_type(numpy: Any, spec: Spec) -> Any:
    name = str(spec.dtype)
    try:
        kind = numpy.dtype(name)
    except TypeError:
        try:
            import ml_dtypes

            kind = numpy.dtype(getattr(ml_dtypes, name))
        except (ImportError, AttributeError):
            raise ArgumentMismatch(
                f"NumPy has no {name}; install ml_dtypes, or read the bytes with to_host()"
            ) from None
    return _numpy_types.setdefault(name, kind)
