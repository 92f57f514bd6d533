"""The protobuf wire format, as much as compile options, device assignments and HLO headers need."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from .abi import proto
from .errors import DataLoss

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(value: int) -> bytes:
    """One base-128 integer; a negative one takes ten bytes, as protobuf's int64 does."""
    value &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


class Message:
    """A message being written, by the field names of one message type."""

    __slots__ = ("_numbers", "_parts")

    def __init__(self, kind: str) -> None:
        self._numbers = proto(kind)
        self._parts: list[bytes] = []

    def integer(self, field: str, value: int) -> Message:
        """Appends an integer, enumerator or bool."""
        self._parts.append(varint(self._numbers[field] << 3 | VARINT) + varint(int(value)))
        return self

    def packed(self, field: str, values: Sequence[int]) -> Message:
        """Appends a repeated integer field in packed form."""
        return self.raw(field, b"".join(map(varint, values))) if values else self

    def double(self, field: str, value: float) -> Message:
        """Appends a double."""
        self._parts.append(varint(self._numbers[field] << 3 | FIXED64) + struct.pack("<d", value))
        return self

    def raw(self, field: str, value: bytes) -> Message:
        """Appends a string, bytes or sub-message."""
        self._parts.append(varint(self._numbers[field] << 3 | BYTES) + varint(len(value)) + value)
        return self

    def encode(self) -> bytes:
        """The finished message."""
        return b"".join(self._parts)


def entry(key: bytes, value: bytes) -> bytes:
    """One entry of a map from string to message."""
    return b"\x0a" + varint(len(key)) + key + b"\x12" + varint(len(value)) + value


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def read(data: bytes | memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message in order: number, and an integer or the bytes. Damaged input raises ``DataLoss``."""
    view = memoryview(data)
    at = 0
    try:
        while at < len(view):
            key, at = _read_varint(view, at)
            kind = key & 7
            if kind == VARINT:
                value, at = _read_varint(view, at)
                yield key >> 3, value
                continue
            if kind == BYTES:
                size, at = _read_varint(view, at)
            else:
                size = {FIXED64: 8, FIXED32: 4}[kind]
            if at + size > len(view):
                raise IndexError(at)
            yield key >> 3, view[at : at + size]
            at += size
    except (IndexError, KeyError):
        raise DataLoss(f"a protobuf message is damaged at byte {at} of {len(view)}") from None


class Reader:
    """A message being read, by the field names of one message type."""

    __slots__ = ("_found", "_numbers")

    def __init__(self, kind: str, data: bytes | memoryview) -> None:
        self._numbers = proto(kind)
        wanted = set(self._numbers.values())
        self._found: dict[int, list[int | memoryview]] = {}
        for number, value in read(data):
            if number in wanted:
                self._found.setdefault(number, []).append(value)

    def integer(self, field: str) -> int:
        """An integer field; 0 where it is absent."""
        values = self._found.get(self._numbers[field], [0])
        return values[-1] if isinstance(values[-1], int) else 0

    def integers(self, field: str) -> tuple[int, ...]:
        """A repeated integer field, packed or not."""
        out: list[int] = []
        for value in self._found.get(self._numbers[field], []):
            if isinstance(value, int):
                out.append(value)
                continue
            at = 0
            while at < len(value):
                item, at = _read_varint(value, at)
                out.append(item)
        return tuple(out)

    def messages(self, field: str) -> list[memoryview]:
        """The raw bytes of each occurrence of a field."""
        return [value for value in self._found.get(self._numbers[field], []) if not isinstance(value, int)]
