"""NumPy's number types, how they promote, and what casts are safe.

The model of what `numpy.promote_types`, `numpy.can_cast` and NEP 50 (https://numpy.org/neps/nep-0050-scalar-promotion.html)
answer, for the types that native code can hold; everything else (`longdouble`, dates, strings, records, objects) has no
`DType` and stays NumPy's. NumPy itself is not needed: the tests compare every pair with it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DType:
    """A number type in native byte order. ``kind``: ``b i u f c`` as in NumPy; ``char``: the code of NumPy's loops."""

    name: str
    kind: str
    itemsize: int
    char: str
    number: int
    """NumPy's ``type_num``, part of its ABI."""

    def __str__(self) -> str:
        return self.name

    @property
    def is_integer(self) -> bool:
        return self.kind in "iu"

    @property
    def real(self) -> DType:
        """The type of a complex number's parts; of a real number its own."""
        return SIZED["f", self.itemsize // 2] if self.kind == "c" else self


BOOL = DType("bool", "b", 1, "?", 0)
INT8 = DType("int8", "i", 1, "b", 1)
UINT8 = DType("uint8", "u", 1, "B", 2)
INT16 = DType("int16", "i", 2, "h", 3)
UINT16 = DType("uint16", "u", 2, "H", 4)
INT32 = DType("int32", "i", 4, "i", 5)
UINT32 = DType("uint32", "u", 4, "I", 6)
INT64 = DType("int64", "i", 8, "l", 7)
UINT64 = DType("uint64", "u", 8, "L", 8)
FLOAT16 = DType("float16", "f", 2, "e", 23)
FLOAT32 = DType("float32", "f", 4, "f", 11)
FLOAT64 = DType("float64", "f", 8, "d", 12)
COMPLEX64 = DType("complex64", "c", 8, "F", 14)
COMPLEX128 = DType("complex128", "c", 16, "D", 15)

ALL = (
    BOOL,
    *(INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64),
    *(FLOAT16, FLOAT32, FLOAT64),
    *(COMPLEX64, COMPLEX128),
)
SIZED = {(dtype.kind, dtype.itemsize): dtype for dtype in ALL}
BY_CHAR = {dtype.char: dtype for dtype in ALL}
ALIASES = {
    "bool_": BOOL,
    "byte": INT8,
    "ubyte": UINT8,
    "short": INT16,
    "ushort": UINT16,
    "intc": INT32,
    "uintc": UINT32,
    "int_": INT64,
    "uint": UINT64,
    "long": INT64,
    "ulong": UINT64,
    "longlong": INT64,
    "ulonglong": UINT64,
    "intp": INT64,
    "uintp": UINT64,
    "half": FLOAT16,
    "single": FLOAT32,
    "double": FLOAT64,
    "csingle": COMPLEX64,
    "cdouble": COMPLEX128,
}
"""NumPy's other names, on the only platforms there are (64 bits, LP64)."""
BY_NAME = {dtype.name: dtype for dtype in ALL} | ALIASES
BUILTIN = {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128}
"""What Python's own classes mean as a dtype."""


ORDER = "buifc"
"""The kinds, lowest first."""


class Weak(enum.Enum):
    """A Python number beside arrays: it takes the array's type where its kind allows (NEP 50). A Python ``bool`` is
    not weak: it is `BOOL`."""

    INT = "int"
    FLOAT = "float"
    COMPLEX = "complex"

    @property
    def default(self) -> DType:
        return BUILTIN[self.value]


Operand = DType | Weak


def promote(left: DType, right: DType) -> DType:
    """The smallest type that both can be cast to safely: `numpy.promote_types`."""
    if left == right or right.kind == "b":
        return left
    if left.kind == "b":
        return right
    if left.kind == right.kind:
        return max(left, right, key=lambda dtype: dtype.itemsize)
    kinds = left.kind + right.kind
    if "c" in kinds:
        part = promote(left.real, right.real)
        return SIZED["c", max(8, 2 * part.itemsize)]
    if "f" in kinds:
        number, integer = (left, right) if left.kind == "f" else (right, left)
        return SIZED["f", max(number.itemsize, min(8, 2 * integer.itemsize))]
    signed, unsigned = (left, right) if left.kind == "i" else (right, left)
    if signed.itemsize > unsigned.itemsize:
        return signed
    return SIZED["i", 2 * unsigned.itemsize] if unsigned.itemsize < 8 else FLOAT64


def safe(source: DType, target: DType) -> bool:
    """Whether a cast keeps every value: `numpy.can_cast` with ``casting="safe"``."""
    return promote(source, target) == target


def same_kind(source: DType, target: DType) -> bool:
    """Whether ``out=`` and assignment by an in-place operator may cast so: `numpy.can_cast` with
    ``casting="same_kind"``."""
    return safe(source, target) or (
        ORDER.index(source.kind) <= ORDER.index(target.kind) and not (source.kind == "i" and target.kind == "u")
    )


def result_type(operands: Sequence[Operand]) -> DType:
    """The common type of arrays and Python numbers: `numpy.result_type`."""
    strong = [operand for operand in operands if isinstance(operand, DType)]
    weak = [operand for operand in operands if isinstance(operand, Weak)]
    if not strong:
        found = weak[0].default
        for other in weak[1:]:
            found = promote(found, other.default)
        return found
    # From the highest kind down, as NumPy: int8, uint8 and float16 are float16, though the first two are int16.
    found, *others = sorted(strong, key=lambda dtype: (ORDER.index(dtype.kind), dtype.itemsize), reverse=True)
    for dtype in others:
        found = promote(found, dtype)
    for scalar in weak:
        found = _with_weak(found, scalar)
    return found


def _with_weak(dtype: DType, scalar: Weak) -> DType:
    match scalar:
        case Weak.INT:
            return INT64 if dtype.kind == "b" else dtype
        case Weak.FLOAT:
            return dtype if dtype.kind in "fc" else FLOAT64
        case Weak.COMPLEX:
            if dtype.kind == "c":
                return dtype
            return SIZED["c", max(8, 2 * dtype.itemsize)] if dtype.kind == "f" else COMPLEX128
