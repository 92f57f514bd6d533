"""Small facts about representations that all parts of a body share."""

from __future__ import annotations

from ppy_compiler.dialects.py import exceptions, names
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.ir.types import F64, I1, I64, OBJECT
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import NATIVE, PYTHON, Repr

REMATERIALIZED = (names.Const, names.Unbound, names.FreeCell, exceptions.LoadAssertionError)
"""Made anew at each use: never live, never carried by a guard."""
GAVE_UP = 3
"""Status of a loops body that left its live values in the frame, for a guard failed."""
DONE = 4
"""Status of one that did so at the end of an inner loop."""
UNIT_DICT = 80
"""``ppy_unit.dict``."""
SINGLETONS = {
    id(None): "_Py_NoneStruct",
    id(True): "_Py_TrueStruct",
    id(False): "_Py_FalseStruct",
    id(...): "_Py_EllipsisObject",
}
BOXES = {
    Repr.I64: "ppy_box_i64",
    Repr.U64: "ppy_box_u64",
    Repr.F64: "ppy_box_f64",
    Repr.BOOL: "ppy_box_bool",
    Repr.BIT: "ppy_box_bool",
    Repr.NF64: "ppy_box_any_f64",
    Repr.NI64: "ppy_box_any_i64",
    Repr.NBOOL: "ppy_box_any_bool",
}
UNBOXES = {
    Repr.I64: "ppy_unbox_i64",
    Repr.U64: "ppy_unbox_u64",
    Repr.F64: "ppy_unbox_f64",
    Repr.BOOL: "ppy_unbox_bool",
    Repr.BIT: "ppy_unbox_bool",
    Repr.NF64: "ppy_unbox_any_f64",
    Repr.NI64: "ppy_unbox_any_i64",
    Repr.NBOOL: "ppy_unbox_any_bool",
}
ZERO: dict[Repr, object] = {
    Repr.OBJ: None,
    Repr.I64: 0,
    Repr.U64: 0,
    Repr.F64: 0.0,
    Repr.BOOL: False,
    Repr.BIT: False,
    **dict.fromkeys(PYTHON, None),
}
NUMPYS = 2
"""What unboxing answers for a number of NumPy; 1 for Python's, 0 where it is none."""


def box(b: NativeBuilder, native: Value, kind: Repr) -> Value:
    """The object for a value: itself, or a new one."""
    if kind is Repr.OBJ:
        return native
    parts = b.parts(native) if kind.either else (native,)
    words = [b.cast("zext", part, I64) if part.type == I1 else part for part in parts]
    return b.call1(BOXES[kind], words, OBJECT)


def unbox(b: NativeBuilder, native: Value, kind: Repr) -> tuple[Value, Value]:
    """The number in an object, and whether it is exactly of that kind and fits."""
    held = NATIVE[PYTHON.get(kind, kind)]
    payload, ok = b.call(UNBOXES[kind], [native], F64 if held == F64 else I64, I64)
    if held == I1:
        payload = b.nonzero(payload)
    if kind.either:
        payload = b.either(payload, b.cmp("eq", ok, b.i64(NUMPYS)))
    return payload, b.nonzero(ok)


def rematerialized(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, REMATERIALIZED)


def is_unbound(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, names.Unbound)
