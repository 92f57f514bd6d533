"""Constants, variables, globals, class namespaces, cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.names import (
    Annotated,
    CheckBound,
    Const,
    DelCell,
    DelGlobal,
    DelName,
    Drop,
    FreeCell,
    LoadCell,
    LoadGlobal,
    LoadLocals,
    LoadName,
    LoadNameOrCell,
    LoadNameOrGlobal,
    MakeCell,
    SetupAnnotations,
    StoreCell,
    StoreGlobal,
    StoreName,
    Unbound,
)
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.annotations import entry_checked
from ppy_compiler.infer.atoms import ANY_OBJECT, CONTAINER, EXTERNAL, INERT, NAMED, NULL, OTHER, TUPLE
from ppy_compiler.infer.exchange import number_of
from ppy_compiler.infer.facts import NEVER, OBJECT, UNBOUND, Fact, constant, replace
from ppy_compiler.infer.lattice import meet, without
from ppy_compiler.infer.memory import remember
from ppy_compiler.ir import Operation

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

CELL_FACT = Fact(OTHER)


def const(op: Const, env: FunctionAnalysis) -> Answer:
    return (constant(op.literal),), fx.QUIET


def unbound(op: Unbound, env: FunctionAnalysis) -> Answer:
    return (UNBOUND,), fx.QUIET


def assume(fact: Fact, declared: Fact) -> Fact:
    """``fact`` of a value that its annotation declares as ``declared``: an assumption where it is not proven, nothing
    where it is false."""
    if not declared.types & OTHER and not fact.types & ~declared.types & ~NULL:
        narrowed, guarded = meet(fact, declared) if declared.types & EXTERNAL else fact, fact.guarded
    else:
        narrowed = meet(fact, declared)
        guarded = True
        if narrowed.types == fact.types or not narrowed.types:
            narrowed, guarded = fact, fact.guarded
    if narrowed.types & declared.types & CONTAINER and narrowed.items is None:
        element, value = declared.element or narrowed.element, declared.value or narrowed.value
        if element is not narrowed.element or value is not narrowed.value:
            narrowed = replace(narrowed, element=element, value=value)
    return narrowed if narrowed.guarded == guarded else replace(narrowed, guarded=guarded)


def annotated(op: Annotated, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    declared = env.module.annotation(op.annotation)
    if not fact.types or declared is OBJECT or not env.module.assumptions.annotations:
        return (fact.plain(),), fx.QUIET
    return (assume(fact.plain(), entry_checked(declared)),), fx.QUIET


def check_bound(op: CheckBound, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    if not fact.types & NULL:
        return (fact.plain(),), fx.QUIET
    return (without(fact.plain(), NULL),), fx.RAISES


def releases_quietly(fact: Fact | None) -> bool:
    """Whether letting go of what a variable holds runs no Python code."""
    if fact is not None and number_of(fact):
        return True
    if fact is None or fact.types & ~(INERT | NULL | CONTAINER):
        return False
    if not fact.types & CONTAINER:
        return True
    # Tuples by value: their items are known; other containers may hold anything.
    return fact.items is not None and not fact.types & CONTAINER & ~TUPLE and all(map(releases_quietly, fact.items))


def drop(op: Drop, env: FunctionAnalysis) -> Answer:
    return (), fx.QUIET if releases_quietly(env.fact(op.value)) else fx.RELEASES | fx.OBJECTS


def load_global(op: LoadGlobal, env: FunctionAnalysis) -> Answer:
    held = env.cells.get(op.var)
    if held is not None and held.types:
        if not held.types & NULL:
            return (held,), fx.QUIET
        if held.types & ANY_OBJECT:
            return (without(held, NULL),), fx.RAISES | fx.OBJECTS
    fact = env.module.global_fact(op.var, op, env)
    if not fact.types:
        return (NEVER,), fx.QUIET
    if env.shape.remembering and not fact.depends:
        env.cells[op.var] = fact.plain()
    if fact.depends and (fact.literal is not None or fact.types & NAMED):
        return (fact,), fx.QUIET  # known while the guard holds: nothing is loaded
    # A name of the module may be missing; looking a name up runs no code in an exact dict with string keys.
    return (fact,), fx.OBJECTS | (fx.QUIET if fact.depends else fx.RAISES)


def store_global(op: StoreGlobal, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.value)
    if not fact.types:
        return (), fx.QUIET
    old = env.cells.get(op.var)
    env.module.stored(op, fact.plain())
    remember(env.cells, op.var, fact.plain())
    return (), fx.GLOBALS | fx.OBJECTS | (fx.QUIET if releases_quietly(old) else fx.RELEASES)


def del_global(op: DelGlobal, env: FunctionAnalysis) -> Answer:
    old = env.cells.get(op.var)
    env.cells[op.var] = UNBOUND
    quiet = releases_quietly(old)
    return (), fx.GLOBALS | fx.OBJECTS | fx.RAISES | (fx.QUIET if quiet else fx.RELEASES)


def unknown(op: Operation, env: FunctionAnalysis) -> Answer:
    """Anything may come out, anything may happen."""
    return tuple(OBJECT for _ in op.results), fx.ANYTHING


def make_cell(op: MakeCell, env: FunctionAnalysis) -> Answer:
    env.module.cell_stored(env.func, op.var, env.fact(op.value).plain())
    return (CELL_FACT,), fx.ALLOCATES | fx.OBJECTS


def free_cell(op: FreeCell, env: FunctionAnalysis) -> Answer:
    return (CELL_FACT,), fx.OBJECTS


def load_cell(op: LoadCell, env: FunctionAnalysis) -> Answer:
    fact = env.module.cell_fact(env.func, op.var, env)
    return (fact,), fx.OBJECTS | fx.RAISES


def store_cell(op: StoreCell, env: FunctionAnalysis) -> Answer:
    env.module.cell_stored(env.func, op.var, env.fact(op.value).plain())
    return (), fx.WRITES | fx.RELEASES | fx.OBJECTS


TABLE = {
    Const: const,
    Unbound: unbound,
    Annotated: annotated,
    CheckBound: check_bound,
    Drop: drop,
    LoadGlobal: load_global,
    StoreGlobal: store_global,
    DelGlobal: del_global,
    LoadName: unknown,
    StoreName: unknown,
    DelName: unknown,
    LoadLocals: unknown,
    LoadNameOrCell: unknown,
    LoadNameOrGlobal: unknown,
    MakeCell: make_cell,
    FreeCell: free_cell,
    LoadCell: load_cell,
    StoreCell: store_cell,
    DelCell: unknown,
    SetupAnnotations: unknown,
}
