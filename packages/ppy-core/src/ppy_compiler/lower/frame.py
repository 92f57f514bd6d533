"""The frame: the memory in which live values travel between bodies, and in which the twin keeps its values.

A frame is an array of words: the *resume word* (where the twin is to go on, and how patient it is to be), then one
word per value of the
function that general code keeps in memory. A failed guard stores the live values at their places, has them boxed
there (``ppy_pack``) and enters
the twin, which finds every value where it keeps it anyway. Whoever starts a function in general code makes the
frame; its size is known when
all bodies are lowered.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ppy_compiler.dialects import mem
from ppy_compiler.ir import Value
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

PATIENCE_SHIFT = 48
"""The upper bits of a resume word: how often the loops body gave up."""
NOTHING_TO_PACK = b"\0"
POINT_MASK = (1 << 32) - 1
STACK_CHECKED = 1 << 32
"""In a resume word: there is enough stack, or the library has counted this level."""


class Frame:
    """Places of one function's values, in bytes from the frame's start."""

    def __init__(self) -> None:
        self._places: dict[object, int] = {}
        self._arrays: list[mem.Array] = []

    def place(self, value: Value) -> int:
        return self._place(value)

    def flag_place(self, value: Value) -> int:
        """Where the presence bit of a scalar that may be absent travels."""
        return self._place((value, "flag"))

    def bit_place(self, value: Value) -> int:
        """Where the bit of a number that is Python's or NumPy's travels."""
        return self._place((value, "bit"))

    def _place(self, key: object) -> int:
        return 8 * self._places.setdefault(key, len(self._places) + 1)

    def make(self, native: NativeBuilder) -> Value:
        """A frame in ``native``'s own memory."""
        array = mem.Array(size=0)
        self._arrays.append(array)
        return native.allocate(array)

    def settle(self) -> None:
        """All places are known: give every frame its size."""
        for array in self._arrays:
            array.attributes["size"] = 8 * (len(self._places) + 1)


class Packing:
    """What ``ppy_pack`` has to do to the words of a frame: records (kind, place), and the places of the bit of a number
    that may be NumPy's and of the flag of a scalar that may be absent."""

    def __init__(self) -> None:
        self._records: list[bytes] = []

    def scalar(self, kind: Repr, place: int, bits: Sequence[int] = (), flagged: bool = False) -> None:
        letter = kind.value.upper() if flagged else kind.value
        places = [at // 8 for at in (place, *bits)]
        self._records.append(letter.encode() + struct.pack(f"<{len(places)}H", *places))

    def borrowed(self, place: int, nullable: bool) -> None:
        self._records.append((b"n" if nullable else b"o") + struct.pack("<H", place // 8))

    @property
    def content(self) -> bytes:
        """Empty when there is nothing to do."""
        return b"".join(self._records) + b"\0" if self._records else b""
