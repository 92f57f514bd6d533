"""Operators of strings, bytes, lists, tuples, dicts and sets: shared by several families."""

from __future__ import annotations

from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import BYTEARRAY, BYTES, DICT, FROZENSET, INTEGER, LIST, SET, STR, TUPLE
from ppy_compiler.infer.facts import OBJECT, Fact, container, of_types, tuple_of
from ppy_compiler.infer.lattice import join, join_all

FRESH = fx.ALLOCATES | fx.OBJECTS
MOST_ITEMS = 64


def element_of(fact: Fact) -> Fact | None:
    """What iterating over the exact container gives; ``None`` when nothing is known."""
    if fact.types == TUPLE and fact.items is not None:
        return join_all(fact.items)
    return fact.element


def _both(lhs: Fact, rhs: Fact) -> Fact | None:
    left, right = element_of(lhs), element_of(rhs)
    return None if left is None or right is None else join(left, right)


def _add(inplace: bool, lhs: Fact, rhs: Fact) -> tuple[Fact, int] | None:
    for text in (STR, BYTES):
        if lhs.only(text) and rhs.only(text):
            return of_types(text), FRESH
    if lhs.only(TUPLE) and rhs.only(TUPLE):
        if lhs.items is not None and rhs.items is not None and len(lhs.items) + len(rhs.items) <= MOST_ITEMS:
            return tuple_of(lhs.items + rhs.items), FRESH
        return container(TUPLE, _both(lhs, rhs)), FRESH
    if lhs.only(LIST) and rhs.only(LIST):
        return container(LIST, _both(lhs, rhs)), FRESH | (fx.WRITES if inplace else 0)
    if lhs.only(LIST) and inplace:
        return container(LIST, None), fx.ANYTHING | fx.WRITES
    if lhs.only(BYTEARRAY) and rhs.only(BYTES | BYTEARRAY):
        return of_types(BYTEARRAY), FRESH | fx.RAISES | (fx.WRITES if inplace else 0)
    return None


def _repeat(inplace: bool, lhs: Fact, rhs: Fact) -> tuple[Fact, int] | None:
    sequence, count = (rhs, lhs) if lhs.only(INTEGER) else (lhs, rhs)
    if not count.only(INTEGER):
        return None
    effect = FRESH | fx.RAISES  # MemoryError, OverflowError for absurd counts
    for text in (STR, BYTES):
        if sequence.only(text):
            return of_types(text), effect
    if sequence.only(TUPLE):
        if (
            sequence.items is not None
            and count.literal is not None
            and 0 <= len(sequence.items) * count.literal.value <= MOST_ITEMS
        ):
            return tuple_of(sequence.items * count.literal.value), effect
        return container(TUPLE, element_of(sequence)), effect
    if sequence.only(LIST):
        return container(LIST, sequence.element), effect | (fx.WRITES | fx.RELEASES if inplace else 0)
    return None


def sequence_binary(kind: str, inplace: bool, lhs: Fact, rhs: Fact) -> tuple[Fact, int] | None:
    """``lhs kind rhs`` where both are exact built-in types; ``None``: no rule."""
    match kind:
        case "+":
            return _add(inplace, lhs, rhs)
        case "*":
            return _repeat(inplace, lhs, rhs)
        case "%" if lhs.only(STR) or lhs.only(BYTES):
            # Formatting calls the argument's own methods; a subclass of str or bytes on the right takes over through
            # __rmod__.
            exact = rhs.exact
            return (of_types(lhs.types) if exact else OBJECT), fx.ANYTHING | fx.ALLOCATES
        case "|" if lhs.only(DICT) and rhs.only(DICT):
            return _merge(lhs, rhs), fx.ANYTHING | fx.ALLOCATES | (fx.WRITES if inplace else 0)
        case "|" | "&" | "-" | "^" if lhs.only(SET | FROZENSET) and rhs.only(SET | FROZENSET):
            element = lhs.element if kind == "-" else _both(lhs, rhs)
            return container(lhs.types, element), fx.ANYTHING | fx.ALLOCATES | (fx.WRITES if inplace else 0)
    return None


def _merge(lhs: Fact, rhs: Fact) -> Fact:
    value = None if lhs.value is None or rhs.value is None else join(lhs.value, rhs.value)
    return container(DICT, _both(lhs, rhs), value)
