"""Code objects as bytes that depend on the code alone.

`marshal` marks every object that somebody else happened to hold while it was written, and numbers all of them, so two
processes write two texts for one code object. `dumps` writes the canonical one: only objects that the text refers back
to are marked and numbered. CPython's own `marshal.loads` reads it like any other.
"""

from __future__ import annotations

import marshal
from types import CodeType

_REF_FLAG = 0x80
_VERSION = 4
# What follows a type byte: a number of bytes, or a length in one or four bytes and that many bytes or objects.
_FIXED = {**dict.fromkeys(b"0NFTS.", 0), ord("i"): 4, ord("g"): 8, ord("y"): 16}
_LONG_BYTES = frozenset(b"sutaA")
_SHORT_BYTES = frozenset(b"zZ")
_LONG_SEQUENCE = frozenset(b"([<>")
_INT32 = 4
# A code object: five or more integers, then objects. (integers, objects, then one integer, then objects)
_CODE_INTEGERS = 5
_CODE_HEAD = 8  # code, consts, names, localsplusnames, localspluskinds, filename, name, qualname
_CODE_TAIL = 2  # linetable, exceptiontable


def dumps(code: CodeType) -> bytes:
    """The canonical marshalled form of `code`."""
    data = marshal.dumps(code, _VERSION)
    canonical = _Rewriter(data, _references(data)).run()
    assert marshal.loads(canonical) == code
    return canonical


def _references(data: bytes) -> frozenset[int]:
    scanner = _Rewriter(data, frozenset())
    scanner.run()
    return frozenset(scanner.seen)


class _Rewriter:
    """Copies a marshalled text, marking only the objects whose numbers are in `wanted`; `seen`: those referred to."""

    def __init__(self, data: bytes, wanted: frozenset[int]) -> None:
        self.data = data
        self.wanted = wanted
        self.seen: set[int] = set()
        self.out = bytearray()
        self.position = 0
        self.flagged = 0
        self.numbers: dict[int, int] = {}

    def run(self) -> bytes:
        self._object()
        assert self.position == len(self.data)
        return bytes(self.out)

    def _object(self) -> None:
        byte = self.data[self.position]
        self.position += 1
        kind = byte & ~_REF_FLAG
        if kind == ord("r"):
            self._reference()
            return
        if byte & _REF_FLAG:
            number = self.flagged
            self.flagged += 1
            if number in self.wanted:
                self.numbers[number] = len(self.numbers)
                kind |= _REF_FLAG
        self.out.append(kind)
        self._body(byte & ~_REF_FLAG)

    def _reference(self) -> None:
        number = int.from_bytes(self.data[self.position : self.position + _INT32], "little")
        self.position += _INT32
        self.seen.add(number)
        self.out += b"r" + self.numbers.get(number, 0).to_bytes(_INT32, "little")

    def _body(self, kind: int) -> None:
        if kind in _FIXED:
            self._copy(_FIXED[kind])
        elif kind in _SHORT_BYTES:
            self._copy(self._length(1))
        elif kind in _LONG_BYTES:
            self._copy(self._length(_INT32))
        elif kind == ord("l"):
            self._copy(2 * abs(self._length(_INT32)))
        elif kind == ord(")"):
            self._objects(self._length(1))
        elif kind in _LONG_SEQUENCE:
            self._objects(self._length(_INT32))
        elif kind == ord("c"):
            self._copy(_CODE_INTEGERS * _INT32)
            self._objects(_CODE_HEAD)
            self._copy(_INT32)
            self._objects(_CODE_TAIL)
        else:
            raise ValueError(f"a code object holds no marshalled {chr(kind)!r}")

    def _length(self, size: int) -> int:
        length = int.from_bytes(self.data[self.position : self.position + size], "little", signed=size == _INT32)
        self._copy(size)
        return length

    def _copy(self, size: int) -> None:
        self.out += self.data[self.position : self.position + size]
        self.position += size

    def _objects(self, count: int) -> None:
        for _ in range(count):
            self._object()
