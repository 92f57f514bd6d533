"""Layouts: how the elements of a buffer lie in device memory, asked of buffers, clients and executables.

A layout is the order of dimensions from the fastest-varying to the slowest ("minor to major"), with the tiles of
platforms that have them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .abi import Frame, enum, int64s, layout, read_int64s, read_pointers
from .api import Api
from .dtypes import dtype_of
from .errors import PjrtError

if TYPE_CHECKING:
    from .buffer import Buffer
    from .client import Client
    from .executable import Executable

_TILED = "Tiled"


@dataclass(frozen=True, slots=True)
class Layout:
    """Minor-to-major order and tiles."""

    minor_to_major: tuple[int, ...]
    tiles: tuple[tuple[int, ...], ...] = ()


def memory_layout(api: Api, minor_to_major: Sequence[int]) -> Frame:
    """The C form of an order without tiles."""
    frame = Frame(layout("PJRT_Buffer_MemoryLayout"))
    frame["struct_size"] = frame.layout.size
    frame["type"] = enum("PJRT_Buffer_MemoryLayout_Type")[_TILED][0]
    frame["tiled.struct_size"] = layout("PJRT_Buffer_MemoryLayout_Tiled").size
    frame["tiled.minor_to_major"] = int64s(tuple(minor_to_major))
    frame["tiled.minor_to_major_size"] = len(minor_to_major)
    return frame


def row_major(rank: int) -> tuple[int, ...]:
    """The minor-to-major order of a row-major array."""
    return tuple(range(rank - 1, -1, -1))


def buffer_layout(api: Api, handle: int) -> Layout | None:
    """The layout of a buffer; None where the plugin does not say."""
    if not api.has("PJRT_Buffer_GetMemoryLayout"):
        return None
    try:
        frame = api.call("PJRT_Buffer_GetMemoryLayout", buffer=handle)
    except PjrtError:
        return None
    if frame["layout.type"] != enum("PJRT_Buffer_MemoryLayout_Type")[_TILED][0]:
        return None
    order = read_int64s(frame["layout.tiled.minor_to_major"], frame["layout.tiled.minor_to_major_size"])
    count: int = frame["layout.tiled.num_tiles"]
    sizes = read_int64s(frame["layout.tiled.tile_dim_sizes"], count)
    dims = read_int64s(frame["layout.tiled.tile_dims"], sum(sizes))
    tiles, at = [], 0
    for size in sizes:
        tiles.append(dims[at : at + size])
        at += size
    return Layout(order, tuple(tiles))


@dataclass(slots=True)
class LayoutConversion:
    """Which transfers a plugin reorders itself; the client reorders where it does not."""

    on_upload: bool
    on_read: bool


def layout_conversion(client: Client) -> LayoutConversion:
    """Asks a plugin: plugins up to 0.106 mislabel what is uploaded with a layout, 0.81 ignores the order read into."""
    numbers, columns = bytes((0, 1, 2, 3, 4, 5)), bytes((0, 3, 1, 4, 2, 5))
    found = LayoutConversion(True, True)
    client.__dict__["layout_conversion"] = found
    first = client.put(numbers, dtype="uint8", shape=(2, 3), layout=(0, 1))
    found.on_upload = first.read_bytes(0, 6) == columns
    probe = client.put(numbers, dtype="uint8", shape=(2, 3), layout=(0, 1))
    raw = (ctypes.c_char * 6)()
    probe._start_read(probe._live(), ctypes.addressof(raw), 6).wait()
    found.on_read = raw.raw == numbers
    return found


def layout_text(buffer: Buffer) -> str:
    """A buffer's layout as XLA writes it (``"{0,1}"``), through the Layouts extension."""
    client = buffer.client
    args = "PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args"
    frame = client.plugin.call_extension(
        "Layouts", "PJRT_Layouts_PJRT_Buffer_MemoryLayout", args, buffer=buffer._live()
    )
    return _take(client, frame["layout"])


def default_layout(client: Client, dtype: Any, shape: Sequence[int]) -> str:
    """The layout a buffer of that type and shape gets by default, as XLA writes it."""
    frame = client.plugin.call_extension(
        "Layouts", "PJRT_Layouts_PJRT_Client_GetDefaultLayout", client=client._live(), type=dtype_of(dtype).code,
        dims=int64s(tuple(shape)), num_dims=len(shape),
    )  # fmt: skip
    return _take(client, frame["layout"])


def executable_layouts(executable: Executable) -> tuple[list[str], list[str]]:
    """The layouts of an executable's parameters and results. Parameters need PJRT 0.93, results 0.81."""
    plugin = executable.client.plugin
    found = []
    for entry, count in (("GetParameterLayouts", "num_parameters"), ("GetOutputLayouts", "num_outputs")):
        frame = plugin.call_extension(
            "Layouts", f"PJRT_Layouts_PJRT_Executable_{entry}", executable=executable._inner()
        )
        # These belong to the executable: they are read, never destroyed.
        found.append([_text(executable.client, p) for p in read_pointers(frame["layouts"], frame[count])])
    return found[0], found[1]


def _take(client: Client, pointer: int) -> str:
    try:
        return _text(client, pointer)
    finally:
        client.plugin.call_extension("Layouts", "PJRT_Layouts_MemoryLayout_Destroy", layout=pointer)


def _text(client: Client, pointer: int) -> str:
    frame = client.plugin.call_extension("Layouts", "PJRT_Layouts_MemoryLayout_Serialize", layout=pointer)
    found = frame.bytes("serialized_bytes").decode()
    deleter = frame["serialized_layout_deleter"]
    if deleter:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(frame["serialized_layout"])
    return found
