"""Displays, their growing forms, unpacking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.containers import (
    BuildDict,
    BuildList,
    BuildSet,
    BuildTuple,
    DictMerge,
    DictSet,
    DictUpdate,
    ListAppend,
    ListExtend,
    ListToTuple,
    SetAdd,
    SetUpdate,
    Unpack,
    UnpackEx,
)
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import BYTES, DICT, LIST, NONE, NUMBER, SET, STR, TUPLE
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact, container, tuple_of
from ppy_compiler.infer.lattice import join_all
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.infer.transfer.sequences import element_of
from ppy_compiler.ir import Operation, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

FRESH = fx.ALLOCATES | fx.OBJECTS
HASHABLE = NUMBER | NONE | STR | BYTES


def _facts(values: Sequence[Value], env: FunctionAnalysis) -> tuple[Fact, ...]:
    return tuple(env.fact(value) for value in values)


def build_tuple(op: BuildTuple, env: FunctionAnalysis) -> Answer:
    facts = _facts(op.items, env)
    if not all(fact.types for fact in facts):
        return (NEVER,), fx.QUIET
    return (tuple_of(facts),), FRESH


def build_list(op: BuildList, env: FunctionAnalysis) -> Answer:
    facts = _facts(op.items, env)
    return (container(LIST, join_all(facts)),), FRESH


def _hashing(facts: tuple[Fact, ...]) -> int:
    return FRESH | (fx.QUIET if all(fact.only(HASHABLE) for fact in facts) else fx.ANYTHING)


def build_set(op: BuildSet, env: FunctionAnalysis) -> Answer:
    facts = _facts(op.items, env)
    return (container(SET, join_all(facts)),), _hashing(facts)


def build_dict(op: BuildDict, env: FunctionAnalysis) -> Answer:
    facts = _facts(op.items, env)
    keys, values = facts[::2], facts[1::2]
    return (container(DICT, join_all(keys), join_all(values)),), _hashing(keys)


def append(op: ListAppend, env: FunctionAnalysis) -> Answer:
    env.grow(op.list, env.fact(op.item))
    return (), fx.OBJECTS


def add(op: SetAdd, env: FunctionAnalysis) -> Answer:
    env.grow(op.set, env.fact(op.item))
    return (), fx.ANYTHING


def dict_set(op: DictSet, env: FunctionAnalysis) -> Answer:
    env.grow(op.dict, env.fact(op.key), env.fact(op.item))
    return (), fx.ANYTHING


def extend(op: ListExtend | SetUpdate | DictUpdate | DictMerge, env: FunctionAnalysis) -> Answer:
    return (), fx.ANYTHING


def list_to_tuple(op: ListToTuple, env: FunctionAnalysis) -> Answer:
    return (container(TUPLE, element_of(env.fact(op.list))),), FRESH


def unpack(op: Unpack, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.iterable)
    if not fact.types:
        return tuple(NEVER for _ in op.results), fx.QUIET
    if fact.only(TUPLE) and fact.items is not None:
        if len(fact.items) == len(op.results):
            return fact.items, fx.OBJECTS
        return tuple(OBJECT for _ in op.results), fx.RAISES | fx.OBJECTS
    if fact.only(TUPLE | LIST | STR):
        item = loaded(element_of(fact))
        return tuple(item for _ in op.results), fx.RAISES | fx.OBJECTS
    return tuple(OBJECT for _ in op.results), fx.ANYTHING


def unpack_ex(op: UnpackEx, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.iterable)
    if not fact.types:
        return tuple(NEVER for _ in op.results), fx.QUIET
    known = fact.only(TUPLE | LIST | STR)
    element = element_of(fact) if known else None
    item = loaded(element)
    results = [item] * op.before + [container(LIST, element)] + [item] * op.after
    return tuple(results), FRESH | fx.RAISES if known else fx.ANYTHING


TABLE = {
    BuildTuple: build_tuple,
    BuildList: build_list,
    BuildSet: build_set,
    BuildDict: build_dict,
    ListAppend: append,
    SetAdd: add,
    DictSet: dict_set,
    ListExtend: extend,
    SetUpdate: extend,
    DictUpdate: extend,
    DictMerge: extend,
    ListToTuple: list_to_tuple,
    Unpack: unpack,
    UnpackEx: unpack_ex,
}
__all__ = ["TABLE", "Operation"]
