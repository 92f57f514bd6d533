"""The kind of a buffer: element type, shape, place and layout, shared by all buffers of that kind.

Specs are interned per client, so a call checks all its arguments with one comparison of identities and a buffer's
metadata costs no C call. A closed or donated buffer carries the ended twin of its spec: same facts, another identity.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

from .dtypes import DType

if TYPE_CHECKING:
    from .client import Client
    from .device import Device, Memory


class Spec:
    """One kind of buffer of one client."""

    __slots__ = (
        "__weakref__",
        "client",
        "device",
        "dims_bytes",
        "dtype",
        "formats",
        "layout",
        "memory",
        "nbytes",
        "on_host", "plain_nbytes",
        "shape",
        "size",
        "small",
        "state",
        "twins",
        "uploads",
    )  # fmt: skip

    def __init__(
        self, client: Client, dtype: DType, shape: tuple[int, ...], device: Device, memory: Memory | None,
        layout: tuple[int, ...] | None,
    ) -> None:  # fmt: skip
        self.client = client
        self.dtype = dtype
        self.shape = shape
        self.device = device
        self.memory = memory
        self.layout = layout
        self.size = math.prod(shape)
        self.nbytes = self.size * dtype.itemsize
        self.dims_bytes = struct.pack(f"{len(shape)}q", *shape)
        self.formats = _formats(dtype)
        # Host memory that can be read in place: the CPU platform, whole bytes, row-major.
        self.on_host = device.platform == "cpu" and layout is None and dtype.bits >= 8
        # What a plain array of this kind weighs; no array does where the quick upload does not apply.
        self.plain_nbytes = self.nbytes if layout is None and self.nbytes else -1
        self.state = ""
        # How NumPy gets a small array of this kind: filled in when it first asks.
        self.small: tuple[Any, ...] | None = None
        self.twins: dict[str, Spec] = {}
        self.uploads: list[Any] = []

    @property
    def device_strides(self) -> tuple[int, ...]:
        """Byte strides of the elements as the layout orders them."""
        order = self.layout if self.layout is not None else tuple(range(len(self.shape) - 1, -1, -1))
        strides, step = [0] * len(self.shape), self.dtype.itemsize
        for axis in order:
            strides[axis] = step
            step *= self.shape[axis]
        return tuple(strides)

    def ended(self, state: str) -> Spec:
        """The twin of a buffer that is no more: ``state`` is the end of the sentence in the exception."""
        twin = self.twins.get(state)
        if twin is None:
            twin = Spec(self.client, self.dtype, self.shape, self.device, self.memory, self.layout)
            twin.state = state
            self.twins[state] = twin
        return twin

    def __str__(self) -> str:
        place = f" on {self.device!r}" + (f" in {self.memory.kind}" if self.memory else "")
        order = f" minor-to-major {self.layout}" if self.layout is not None else ""
        return f"{self.dtype}[{','.join(map(str, self.shape))}]{order}{place}"


def _formats(dtype: DType) -> frozenset[bytes]:
    bare = {dtype.letters} - {""}
    if dtype.letters == "q":
        bare.add("l")
    if dtype.letters == "Q":
        bare.add("L")
    return frozenset((prefix + form).encode() for form in bare for prefix in ("", "@", "=", "<"))
