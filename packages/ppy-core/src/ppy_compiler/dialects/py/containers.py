"""Container displays, their growing forms, unpacking."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import ALLOCATES, RUNS
from ppy_compiler.ir import Op, attr, operand, operands, result, results
from ppy_compiler.ir.types import OBJECT


class BuildTuple(Op):
    name = "py.build_tuple"
    traits = ALLOCATES
    items = operands()
    value = result(OBJECT)


class BuildList(Op):
    name = "py.build_list"
    traits = ALLOCATES
    items = operands()
    value = result(OBJECT)


class BuildSet(Op):
    """Hashes and compares its items."""

    name = "py.build_set"
    traits = RUNS
    items = operands()
    value = result(OBJECT)


class BuildDict(Op):
    """``items`` alternate keys and values; hashes and compares keys."""

    name = "py.build_dict"
    traits = RUNS
    items = operands()
    value = result(OBJECT)


class ListAppend(Op):
    """Append to a list known to be exact."""

    name = "py.list_append"
    traits = RUNS
    list = operand()
    item = operand()


class SetAdd(Op):
    name = "py.set_add"
    traits = RUNS
    set = operand()
    item = operand()


class DictSet(Op):
    """``dict[key] = item`` of a dict known to be exact."""

    name = "py.dict_set"
    traits = RUNS
    dict = operand()
    key = operand()
    item = operand()


class ListExtend(Op):
    """``[*items]``; TypeError "Value after * must be an iterable, not T"."""

    name = "py.list_extend"
    traits = RUNS
    list = operand()
    items = operand()


class SetUpdate(Op):
    name = "py.set_update"
    traits = RUNS
    set = operand()
    items = operand()


class DictUpdate(Op):
    """``{**items}``; TypeError "'T' object is not a mapping"."""

    name = "py.dict_update"
    traits = RUNS
    dict = operand()
    items = operand()


class DictMerge(Op):
    """``f(**items)``: as ``py.dict_update``, and TypeError for a repeated keyword, naming ``callee``."""

    name = "py.dict_merge"
    traits = RUNS
    callee = operand()
    dict = operand()
    items = operand()


class ListToTuple(Op):
    name = "py.list_to_tuple"
    traits = ALLOCATES
    list = operand()
    value = result(OBJECT)


class Unpack(Op):
    """Exactly as many items as there are results, with CPython's errors."""

    name = "py.unpack"
    traits = RUNS
    iterable = operand()
    items = results()


class UnpackEx(Op):
    """``before`` items, a list of the rest, ``after`` items."""

    name = "py.unpack_ex"
    traits = RUNS
    before = attr(int)
    after = attr(int)
    iterable = operand()
    items = results()


OPS = (
    BuildTuple,
    BuildList,
    BuildSet,
    BuildDict,
    ListAppend,
    SetAdd,
    DictSet,
    ListExtend,
    SetUpdate,
    DictUpdate,
    DictMerge,
    ListToTuple,
    Unpack,
    UnpackEx,
)
