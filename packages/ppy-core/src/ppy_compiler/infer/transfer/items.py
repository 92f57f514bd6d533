"""Subscripts and slices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.operators import BuildSlice, DelItem, GetItem, SetItem
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import ranges, reasons
from ppy_compiler.infer.atoms import BYTEARRAY, BYTES, DICT, INERT, INTEGER, LIST, NONE, RANGE, SLICE, STR, TUPLE
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact, container, integer, of_types
from ppy_compiler.infer.lattice import join_all
from ppy_compiler.infer.transfer.external import external_operation
from ppy_compiler.infer.transfer.iteration import BYTE, range_items
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.infer.transfer.sequences import element_of

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

LOAD = fx.RAISES | fx.OBJECTS


def _tuple_item(holder: Fact, index: Fact) -> tuple[Fact, int]:
    items = holder.items
    if items is None:
        return loaded(holder.element), LOAD
    if index.literal is not None:
        position = int(index.literal.value)
        if -len(items) <= position < len(items):
            return items[position], fx.OBJECTS
        return NEVER, LOAD
    inside = ranges.within(index.range, (-len(items), len(items) - 1))
    return (join_all(items) if items else NEVER), fx.OBJECTS if inside else LOAD


def item(holder: Fact, index: Fact) -> tuple[Fact, int] | None:
    """``holder[index]`` of exact built-in types; ``None``: no rule."""
    if index.only(INTEGER):
        if holder.only(TUPLE):
            return _tuple_item(holder, index)
        if holder.only(LIST):
            return loaded(holder.element), LOAD
        if holder.only(STR):
            return of_types(STR), LOAD
        if holder.only(BYTES | BYTEARRAY):
            return BYTE, LOAD
        if holder.only(RANGE):
            return (range_items(*holder.items) if holder.items is not None else integer()), LOAD
    if index.only(SLICE):
        # The slice's bounds are converted by __index__, which may be anything's.
        effect = fx.ANYTHING | fx.ALLOCATES if not index.items else LOAD | fx.ALLOCATES
        if holder.only(LIST) or holder.only(TUPLE):
            return container(holder.types, element_of(holder)), effect
        if holder.only(STR) or holder.only(BYTES) or holder.only(BYTEARRAY) or holder.only(RANGE):
            return of_types(holder.types), effect
    if holder.only(DICT):
        return loaded(holder.value), fx.ANYTHING
    return None


def _empty_so_far(holder: Fact) -> bool:
    """Whether nothing is known to be in the list or dict: what it holds may be put in by code that is still to be
    looked at."""
    held = holder.element if holder.only(LIST) else holder.value if holder.only(DICT) else None
    return held is not None and not held.types


def getitem(op: GetItem, env: FunctionAnalysis) -> Answer:
    holder, index = env.fact(op.object), env.fact(op.index)
    if not holder.types or not index.types:
        return (NEVER,), fx.QUIET
    if _empty_so_far(holder) and env.waits(op):
        return (NEVER,), LOAD
    found = item(holder, index)
    external = external_operation(op, "subscript", "[]", [holder, index], env) if found is None else None
    if external is not None:
        return external
    if found is None:
        env.note(op, reasons.UNPROVEN)
        return (OBJECT,), fx.ANYTHING
    return (found[0],), found[1]


def setitem(op: SetItem, env: FunctionAnalysis) -> Answer:
    """Storing into a list lets the old item go: quiet when the list's items are assumed to be of types without
    finalizers; lowering then
    guards the type of the item it releases."""
    holder, index, value = env.fact(op.object), env.fact(op.index), env.fact(op.value)
    if not holder.types or not index.types or not value.types:
        return (), fx.QUIET
    if holder.only(LIST) and index.only(INTEGER):
        env.grow(op.object, value)
        element = holder.element
        quiet = element is not None and element.types and not element.types & ~INERT
        return (), fx.RAISES | fx.WRITES | fx.OBJECTS | (fx.QUIET if quiet else fx.RELEASES)
    external = external_operation(op, "subscript", "[]=", [holder, index, value], env)
    if external is not None:
        return (), external[1]
    if holder.only(BYTEARRAY) and index.only(INTEGER) and value.only(INTEGER):
        return (), fx.RAISES | fx.WRITES | fx.OBJECTS
    if holder.only(DICT):
        env.grow(op.object, index, value)
    elif not holder.only(LIST | BYTEARRAY):
        env.note(op, reasons.UNPROVEN)
    return (), fx.ANYTHING | fx.WRITES


def delitem(op: DelItem, env: FunctionAnalysis) -> Answer:
    if not env.fact(op.object).only(LIST | DICT | BYTEARRAY):
        env.note(op, reasons.UNPROVEN)
    return (), fx.ANYTHING | fx.WRITES


def build_slice(op: BuildSlice, env: FunctionAnalysis) -> Answer:
    parts = [env.fact(value) for value in (op.start, op.stop, *((op.step,) if op.step is not None else ()))]
    simple = all(part.only(INTEGER | NONE) for part in parts)
    return (Fact(SLICE, items=tuple(part.plain() for part in parts) if simple else None),), fx.ALLOCATES | fx.OBJECTS


TABLE = {GetItem: getitem, SetItem: setitem, DelItem: delitem, BuildSlice: build_slice}
