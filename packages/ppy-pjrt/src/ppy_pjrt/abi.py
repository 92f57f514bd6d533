"""C structs as data: layouts from the generated table and frames of memory read and written by field name.

Takes the strings of ``_abi_table`` and parses one only when it is first used, so importing costs nothing. No offset,
size or enumerator is written anywhere else in this package.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import cache
from operator import index
from typing import Any

from ._abi_table import ENUMS, FFI_MINOR, PJRT_MINOR, PROTOS, STRUCTS

__all__ = ["FFI_MINOR", "PJRT_MINOR", "PROTOS", "Field", "Frame", "Layout", "enum", "layout", "read_bytes"]

_CODECS = {code: struct.Struct("@" + ("P" if code == "p" else code)) for code in "pNiIqQ?fB"}


class Field:
    """One leaf of a struct: where it is, how it is coded, and the versions in which it came."""

    __slots__ = ("end", "high", "low", "name", "offset", "pack_into", "unpack_from")

    def __init__(self, text: str) -> None:
        self.name, code, place = text.split(":")
        offset, _, span = place.partition("@")
        low, _, high = span.partition("-")
        codec = _CODECS[code]
        self.offset = int(offset)
        self.end = self.offset + codec.size
        self.low = int(low or 0)
        self.high = int(high or low or 0)
        self.pack_into = codec.pack_into
        self.unpack_from = codec.unpack_from


class Layout:
    """The fields of one struct, in the newest version the table knows."""

    __slots__ = ("extent", "fields", "name", "size")

    def __init__(self, name: str, text: str) -> None:
        words = text.split(" ")
        self.name = name
        self.size = int(words[0])
        self.fields = {field.name: field for field in map(Field, words[1:])}
        # A declared struct_size may stop before the last field; the memory never does.
        end = max([self.size, *(field.end for field in self.fields.values())])
        self.extent = -(-end // 8) * 8

    def size_for(self, minor: int) -> int:
        """The struct_size to declare to a plugin of this minor: every field it may know, and no other."""
        known = [field.end for field in self.fields.values() if field.low <= minor]
        return self.size if len(known) == len(self.fields) else max(known)


@cache
def layout(name: str) -> Layout:
    """The layout of a struct by its C name."""
    return Layout(name, STRUCTS[name])


@cache
def enum(name: str) -> dict[str, tuple[int, int]]:
    """Enumerators of a C enum, without their common prefix: name to (value, first minor known to have it)."""
    items = {}
    for word in ENUMS[name].split(" "):
        key, _, rest = word.partition("=")
        value, _, span = rest.partition("@")
        items[key] = (int(value), int(span.rpartition("-")[2] or 0))
    first, last = min(items), max(items)
    same = next((at for at, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), len(first))
    prefix = first[:same].rpartition("_")[0] + "_"
    return {key.removeprefix(prefix): item for key, item in items.items()}


@cache
def proto(name: str) -> dict[str, int]:
    """The field numbers of a protobuf message."""
    return {key: int(number) for key, _, number in (word.partition("=") for word in PROTOS[name].split(" "))}


class Frame:
    """One struct in memory: ``frame["field"]`` reads and writes, whatever is pointed to is kept alive by it."""

    __slots__ = ("address", "keep", "layout", "raw")

    def __init__(self, layout: Layout, raw: Any = None) -> None:
        self.layout = layout
        self.raw = (ctypes.c_char * layout.extent)() if raw is None else raw
        self.address: int = ctypes.addressof(self.raw)
        self.keep: list[object] = []

    @classmethod
    def at(cls, layout: Layout, address: int) -> Frame:
        """A view of foreign memory as that struct; the memory must outlive the view."""
        return cls(layout, (ctypes.c_char * layout.extent).from_address(address))

    def __getitem__(self, name: str) -> Any:
        field = self.layout.fields[name]
        return field.unpack_from(self.raw, field.offset)[0]

    def __setitem__(self, name: str, value: Any) -> None:
        field = self.layout.fields[name]
        kind = type(value)
        if kind is bytes:
            value = self._point_at_bytes(name, value)
        elif kind is Frame or kind is Frames:
            self.keep.append(value)
            value = value.address
        elif value is None:
            value = 0
        elif isinstance(value, ctypes.Array):
            self.keep.append(value)
            value = ctypes.addressof(value)
        field.pack_into(self.raw, field.offset, value)

    def _point_at_bytes(self, name: str, value: bytes) -> int:
        self.keep.append(value)
        if (size := self.layout.fields.get(name + "_size")) is not None:
            size.pack_into(self.raw, size.offset, len(value))
        return ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value or 0

    def text(self, name: str) -> str:
        """A string out of a pointer field and the size field beside it."""
        return self.bytes(name).decode("utf-8", "replace")

    def bytes(self, name: str) -> bytes:
        """The bytes a pointer field and the size field beside it describe."""
        return read_bytes(self[name], self[name + "_size"])


class Frames:
    """A C array of one struct."""

    __slots__ = ("address", "count", "items", "raw")

    def __init__(self, layout: Layout, count: int) -> None:
        step = layout.extent
        self.count = count
        self.raw = (ctypes.c_char * (step * count))()
        self.address: int = ctypes.addressof(self.raw)
        self.items = [Frame.at(layout, self.address + step * index) for index in range(count)]


def read_bytes(address: int, size: int) -> bytes:
    """Copies foreign memory; a NULL of any size is empty."""
    return ctypes.string_at(address, size) if address and size else b""


def int64s(values: Sequence[int]) -> Any:
    """A C array of int64."""
    return (ctypes.c_int64 * len(values))(*values)


def pointers(values: Sequence[int]) -> Any:
    """A C array of addresses."""
    return (ctypes.c_void_p * len(values))(*map(index, values))


def read_pointers(address: int, count: int) -> list[int]:
    """The addresses of a C array of pointers."""
    return list(struct.unpack(f"{count}P", read_bytes(address, 8 * count)))


def read_int64s(address: int, count: int) -> tuple[int, ...]:
    """The values of a C array of int64."""
    return struct.unpack(f"{count}q", read_bytes(address, 8 * count))
