"""Small facts about representations that all parts of a body share."""

from __future__ import annotations

from ppy_compiler.dialects.py import exceptions, names
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.lower.reprs import Repr

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
}
UNBOXES = {
    Repr.I64: "ppy_unbox_i64",
    Repr.U64: "ppy_unbox_u64",
    Repr.F64: "ppy_unbox_f64",
    Repr.BOOL: "ppy_unbox_bool",
    Repr.BIT: "ppy_unbox_bool",
}
ZERO: dict[Repr, object] = {Repr.OBJ: None, Repr.I64: 0, Repr.U64: 0, Repr.F64: 0.0, Repr.BOOL: False, Repr.BIT: False}


def rematerialized(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, REMATERIALIZED)


def is_unbound(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, names.Unbound)
