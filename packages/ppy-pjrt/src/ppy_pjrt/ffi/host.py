"""The FFI of one plugin, from the handler's side: versions, the function table, errors, types.

The table reaches a handler inside its call frame only. Its version is the plugin's; what is answered and which struct
layouts are used is always the smaller of both, so a 0.2 host gets 0.2 structs.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

from ..abi import FFI_MINOR, Frame, enum, layout
from ..errors import PjrtError, Unsupported

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# Python objects that a plugin holds as an address: state of handlers and user data, until their deleter is called.
objects: dict[int, Any] = {}
_tokens = itertools.count(1)


def _forget(token: int) -> None:
    objects.pop(token, None)


_forget_pointer = _DELETER(_forget)
FORGET = ctypes.cast(_forget_pointer, ctypes.c_void_p).value


def keep(value: Any) -> int:
    """An address-sized token for a Python object."""
    token = next(_tokens)
    objects[token] = value
    return token


class Host:
    """The FFI function table a call frame points at."""

    def __init__(self, address: int) -> None:
        self.address = address
        head = Frame.at(
            layout("XLA_FFI_Api_Version"), address + layout("XLA_FFI_Api").fields["api_version.struct_size"].offset
        )
        self.size = int(ctypes.c_size_t.from_address(address).value)
        self.minor: int = head["minor_version"]
        self.version = min(self.minor, FFI_MINOR)

    def frame(self, name: str, **fields: Any) -> Frame:
        """An argument struct in the layout this host has."""
        shape = layout(name)
        for variant in range(self.minor, FFI_MINOR):
            try:
                shape = layout(f"{name}@{variant}")
                break
            except KeyError:
                continue
        frame = Frame(shape)
        frame["struct_size"] = shape.size_for(self.minor)
        for key, value in fields.items():
            if key in shape.fields:
                frame[key] = value
        return frame

    def call(self, entry: str, **fields: Any) -> Frame:
        """Calls an entry of the table; its error becomes an exception."""
        field = layout("XLA_FFI_Api").fields[entry]
        pointer = 0
        if field.end <= self.size:
            pointer = ctypes.c_void_p.from_address(self.address + field.offset).value or 0
        if not pointer:
            raise Unsupported(f"the plugin's FFI (0.{self.minor}) has no {entry}", entry, field.high)
        frame = self.frame(f"{entry}_Args", **fields)
        error = _ENTRY(pointer)(frame.address)
        if error and entry not in ("XLA_FFI_Error_Create", "XLA_FFI_Error_GetDetails", "XLA_FFI_Error_Destroy"):
            raise self.take_error(error)
        frame.keep.append(error)
        return frame

    def error(self, raised: BaseException) -> int:
        """An error object with an exception's type and message (the plugin copies the text)."""
        code = raised.code if isinstance(raised, PjrtError) else "INTERNAL"
        number = enum("XLA_FFI_Error_Code")[code][0]
        text = f"{type(raised).__name__}: {raised}".encode("utf-8", "replace").replace(b"\0", b"?") + b"\0"
        frame = self.call("XLA_FFI_Error_Create", message=text, errc=number)
        made: int = frame.keep[-1]  # type: ignore[assignment]
        return made

    def take_error(self, error: int) -> PjrtError:
        """The exception of an error object, which is destroyed."""
        frame = self.call("XLA_FFI_Error_GetDetails", error=error)
        message = ctypes.string_at(frame["message"]).decode("utf-8", "replace") if frame["message"] else ""
        self.call("XLA_FFI_Error_Destroy", error=error)
        return PjrtError(message)


_hosts: dict[int, Host] = {}


def host_at(address: int) -> Host:
    """The host of a table's address; one object each."""
    found = _hosts.get(address)
    if found is None:
        found = _hosts.setdefault(address, Host(address))
    return found
