"""Element types: one table from standard names to the codes of PJRT, XLA and DLPack and to Python's buffer formats.

A ``DType`` is a ``str`` (``"float32"``, ``"bfloat16"``, ``"int4"``), so it can be given to NumPy and compared with
plain names. On the host an element narrower than a byte takes one byte, as in XLA's own literals.
"""

from __future__ import annotations

from typing import Any

from .abi import enum
from .errors import ArgumentMismatch, Unsupported

# name: C name, bits, XLA primitive number, DLPack code (None: not expressible), buffer formats
_TABLE: dict[str, tuple[str, int, int, int | None, str]] = {
    "bool": ("PRED", 8, 1, 6, "?"),
    "int8": ("S8", 8, 2, 0, "b"),
    "int16": ("S16", 16, 3, 0, "h"),
    "int32": ("S32", 32, 4, 0, "i"),
    "int64": ("S64", 64, 5, 0, "q"),
    "uint8": ("U8", 8, 6, 1, "B"),
    "uint16": ("U16", 16, 7, 1, "H"),
    "uint32": ("U32", 32, 8, 1, "I"),
    "uint64": ("U64", 64, 9, 1, "Q"),
    "float16": ("F16", 16, 10, 2, "e"),
    "float32": ("F32", 32, 11, 2, "f"),
    "float64": ("F64", 64, 12, 2, "d"),
    "bfloat16": ("BF16", 16, 16, 4, ""),
    "complex64": ("C64", 64, 15, 5, "Zf"),
    "complex128": ("C128", 128, 18, 5, "Zd"),
    "float8_e5m2": ("F8E5M2", 8, 19, 12, ""),
    "float8_e4m3fn": ("F8E4M3FN", 8, 20, 10, ""),
    "float8_e4m3b11fnuz": ("F8E4M3B11FNUZ", 8, 23, 9, ""),
    "float8_e5m2fnuz": ("F8E5M2FNUZ", 8, 24, 13, ""),
    "float8_e4m3fnuz": ("F8E4M3FNUZ", 8, 25, 11, ""),
    "int4": ("S4", 4, 21, None, ""),
    "uint4": ("U4", 4, 22, None, ""),
    "token": ("TOKEN", 0, 17, None, ""),
    "int2": ("S2", 2, 26, None, ""),
    "uint2": ("U2", 2, 27, None, ""),
    "float8_e4m3": ("F8E4M3", 8, 28, 8, ""),
    "float8_e3m4": ("F8E3M4", 8, 29, 7, ""),
    "float8_e8m0fnu": ("F8E8M0FNU", 8, 33, 14, ""),
    "float4_e2m1fn": ("F4E2M1FN", 4, 32, None, ""),
    "int1": ("S1", 1, 30, None, ""),
    "uint1": ("U1", 1, 31, None, ""),
    "float6_e2m3fn": ("F6E2M3FN", 6, 36, None, ""),
    "float6_e3m2fn": ("F6E3M2FN", 6, 35, None, ""),
}

_MLIR = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "ui8", "uint16": "ui16",
    "uint32": "ui32", "uint64": "ui64", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
    "complex64": "complex<f32>", "complex128": "complex<f64>", "int4": "i4", "uint4": "ui4", "int2": "i2",
    "uint2": "ui2", "float8_e5m2": "f8E5M2", "float8_e4m3fn": "f8E4M3FN", "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e5m2fnuz": "f8E5M2FNUZ", "float8_e4m3fnuz": "f8E4M3FNUZ", "float8_e4m3": "f8E4M3",
    "float8_e3m4": "f8E3M4", "float8_e8m0fnu": "f8E8M0FNU", "float4_e2m1fn": "f4E2M1FN",
    "float6_e2m3fn": "f6E2M3FN", "float6_e3m2fn": "f6E3M2FN", "token": "!stablehlo.token",
}  # fmt: skip


class DType(str):
    """An element type, as its standard name, with every code it has elsewhere."""

    __slots__ = ()
    _codes: dict[str, tuple[int, int, int, int | None, str, int]] = {}

    @property
    def code(self) -> int:
        """The number in ``PJRT_Buffer_Type``."""
        return self._codes[self][0]

    @property
    def bits(self) -> int:
        """Bits of one element on the device (complex: both parts)."""
        return self._codes[self][1]

    @property
    def itemsize(self) -> int:
        """Bytes of one element on the host."""
        return -(-self.bits // 8)

    @property
    def xla(self) -> int:
        """The number in XLA's ``PrimitiveType`` and in the FFI."""
        return self._codes[self][2]

    @property
    def dlpack(self) -> int | None:
        """The DLPack type code; None where DLPack cannot say it."""
        return self._codes[self][3]

    @property
    def letters(self) -> str:
        """The ``struct`` format of one element; empty where Python has none."""
        return self._codes[self][4]

    @property
    def since(self) -> int:
        """The first PJRT minor known to have it."""
        return self._codes[self][5]

    @property
    def mlir(self) -> str:
        """How StableHLO text spells it."""
        return _MLIR.get(self, str(self))


def _fill() -> dict[str, DType]:
    numbers = enum("PJRT_Buffer_Type")
    for name, (c_name, bits, xla, dlpack, form) in _TABLE.items():
        DType._codes[name] = (numbers[c_name][0], bits, xla, dlpack, form, numbers[c_name][1])
    return {name: DType(name) for name in _TABLE}


DTYPES: dict[str, DType] = _fill()
_BY_CODE: dict[int, DType] = {item.code: item for item in DTYPES.values()}
_BY_XLA: dict[int, DType] = {item.xla: item for item in DTYPES.values()}
BY_DLPACK: dict[tuple[int, int], DType] = {
    (item.dlpack, item.bits): item for item in DTYPES.values() if item.dlpack is not None
}


def dtype_of_code(number: int) -> DType:
    """The element type of a ``PJRT_Buffer_Type``."""
    return _numbered(_BY_CODE, number, "PJRT")


def dtype_of_xla(number: int) -> DType:
    """The element type of an XLA ``PrimitiveType``, as programs and the FFI count them."""
    return _numbered(_BY_XLA, number, "XLA")


def _numbered(table: dict[int, DType], number: int, whose: str) -> DType:
    found = table.get(number)
    if found is None:
        raise Unsupported(f"element type {number} of {whose} is newer than this client", "dtype")
    return found


# Formats of the buffer protocol by kind, resolved by element size: `l` is 4 or 8 bytes depending on the platform.
_KINDS = {"b": "int", "h": "int", "i": "int", "l": "int", "q": "int", "n": "int"}
_KINDS |= {"B": "uint", "H": "uint", "I": "uint", "L": "uint", "Q": "uint", "N": "uint"}
_KINDS |= {"e": "float", "f": "float", "d": "float", "Zf": "complex", "Zd": "complex"}


def dtype_of(value: Any) -> DType:
    """The element type of a name, a ``DType``, a NumPy dtype or scalar type, or a Python type."""
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value.__module__ == "builtins":
        name = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}.get(value.__name__, "")
    else:
        name = (
            value if isinstance(value, str) else str(getattr(value, "name", None) or getattr(value, "__name__", value))
        )
    found = DTYPES.get(name)
    if found is None:
        raise ArgumentMismatch(f"{name!r} is not an element type of XLA; there are {', '.join(DTYPES)}")
    return found


def dtype_of_format(form: str, itemsize: int) -> DType:
    """The element type of a buffer-protocol format; big-endian and structured formats are refused."""
    bare = form.lstrip("@=<" if itemsize > 1 else "@=<>!|")
    if bare == "?":
        return DTYPES["bool"]
    kind = _KINDS.get(bare)
    if kind is None:
        raise ArgumentMismatch(f"elements of buffer format {form!r} ({itemsize} bytes) are not an element type of XLA")
    return DTYPES[f"{kind}{8 * itemsize}"]
