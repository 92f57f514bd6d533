"""What a kernel's caller needs to know about it: ``ppy_tensor_desc`` of the support library's ``ppy_tensor.h``."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import ClassVar

from ppy_compiler.dialects.tensor import SIZES

ARRAY, FLOAT, INT = range(3)
"""Kinds of operands: an array; a Python ``float``; a Python ``int``."""
FORM_F64, FORM_F32, FORM_INT = range(3)
CODES = {"i1": "?", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "l", "u64": "L"} | {
    "f32": "f",
    "f64": "d",
}
"""How element types are spelled in the names of loops."""
ITSELF, MEAN = range(2)
"""What a sum is for."""
INVALID = 1
"""The floating-point flag (``FE_INVALID``) that a comparison of NaN sets, though NumPy says nothing."""


@dataclass(frozen=True, slots=True)
class Operand:
    """``element``: the type of the kernel's argument; ``code``: how the library numbers the type of an array."""

    element: str
    code: int = 0
    kind: int = ARRAY

    LAYOUT: ClassVar = struct.Struct("<5i")

    def pack(self) -> bytes:
        form = {"f64": FORM_F64, "f32": FORM_F32}.get(self.element, FORM_INT)
        return self.LAYOUT.pack(self.kind, self.code, form, SIZES[self.element], self.element[0] == "i")


@dataclass(frozen=True, slots=True)
class Descriptor:
    """``result``: the library's number for the type of the result, whose elements are ``element``; ``cost``: of an
    element, in tenths of a nanosecond; ``quiet``: flags that tell nothing here; ``sum``: what a sum is for."""

    operands: tuple[Operand, ...]
    result: int
    cost: int
    quiet: int = 0
    sum: int = ITSELF
    element: str = "f64"
    loops: tuple[tuple[str, str], ...] = ()
    """The library's inner loops: the name of the function, and the codes of its types ("dd"), the result's last."""

    LOOP: ClassVar = struct.Struct("<24s8s")

    def pack(self) -> bytes:
        head = struct.pack(
            "<7i",
            *(len(self.operands), self.result, self.cost, self.quiet),
            *(self.sum, SIZES[self.element], len(self.loops)),
        )
        loops = [self.LOOP.pack(name.encode(), types.encode()) for name, types in self.loops]
        return head + b"".join([*(operand.pack() for operand in self.operands), *loops])


__all__ = ["ARRAY", "FLOAT", "INT", "INVALID", "ITSELF", "MEAN", "Descriptor", "Operand"]
