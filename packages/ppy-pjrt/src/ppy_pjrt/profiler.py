"""Traces of a plugin's own profiler, where it offers the Profiler extension.

with profiler.trace(plugin) as trace:
    exe(x)
open("trace.xplane.pb", "wb").write(trace.data)
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .abi import Frame, layout
from .errors import PjrtError, Unsupported

if TYPE_CHECKING:
    from .plugin import Plugin

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_API = "PLUGIN_Profiler_Api"


class Trace:
    """A trace being taken; ``data`` is a serialised XSpace once it has ended."""

    def __init__(self, plugin: Plugin, options: bytes = b"") -> None:
        extension = plugin.require("Profiler")
        place = layout("PJRT_Profiler_Extension").fields["profiler_api"]
        self._api = (
            ctypes.c_void_p.from_address(extension.address + place.offset).value
            if place.end <= extension.size
            else None
        )
        if not self._api:
            raise Unsupported(f"{plugin!r} has a Profiler extension without functions", "Profiler")
        self._size = ctypes.c_size_t.from_address(self._api).value
        self.data = b""
        self._profiler: int = self._call("create", "PLUGIN_Profiler_Create_Args", options=options)["profiler"]

    def _call(self, entry: str, args: str, **fields: Any) -> Frame:
        place = layout(_API).fields[entry]
        assert self._api is not None
        pointer = ctypes.c_void_p.from_address(self._api + place.offset).value if place.end <= self._size else None
        if not pointer:
            raise Unsupported(f"the plugin's profiler has no {entry}", entry)
        frame = Frame(layout(args))
        frame["struct_size"] = frame.layout.size
        for key, value in fields.items():
            frame[key] = value
        error = _ENTRY(pointer)(frame.address)
        if error and not entry.startswith("error_"):
            message = self._call("error_message", "PLUGIN_Profiler_Error_Message_Args", error=error).text("message")
            self._call("error_destroy", "PLUGIN_Profiler_Error_Destroy_Args", error=error)
            raise PjrtError(f"profiler: {message}")
        return frame

    def start(self) -> None:
        """Starts recording."""
        self._call("start", "PLUGIN_Profiler_Start_Args", profiler=self._profiler)

    def stop(self) -> bytes:
        """Ends recording and fetches the data."""
        self._call("stop", "PLUGIN_Profiler_Stop_Args", profiler=self._profiler)
        args = "PLUGIN_Profiler_CollectData_Args"
        size = self._call("collect_data", args, profiler=self._profiler)["buffer_size_in_bytes"]
        if size:
            out = ctypes.create_string_buffer(size)
            self._call("collect_data", args, profiler=self._profiler, buffer=out, buffer_size_in_bytes=size)
            self.data = out.raw
        return self.data

    def close(self) -> None:
        """Gives the profiler up."""
        profiler, self._profiler = self._profiler, 0
        if profiler:
            self._call("destroy", "PLUGIN_Profiler_Destroy_Args", profiler=profiler)


@contextmanager
def trace(plugin: Plugin, options: bytes = b"") -> Iterator[Trace]:
    """Records what runs inside the block."""
    taken = Trace(plugin, options)
    try:
        taken.start()
        try:
            yield taken
        finally:
            taken.stop()
    finally:
        taken.close()
