"""Comparisons, identity, membership, truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.operators import Compare, Contains, FromBool, Is, IsUnbound, Truth
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import ranges, reasons
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BYTEARRAY,
    BYTES,
    DICT,
    FLOAT,
    FROZENSET,
    INTEGER,
    LIST,
    NONE,
    NULL,
    NUMBER,
    RANGE,
    SET,
    STR,
    TUPLE,
)
from ppy_compiler.infer.exchange import number_of
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact, boolean
from ppy_compiler.infer.lattice import without
from ppy_compiler.infer.narrowing import class_atoms
from ppy_compiler.infer.transfer.external import external_operation

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

BOOLEAN = boolean()
TRUE = boolean(1, 1)
FALSE = boolean(0, 0)
SIZED = STR | BYTES | BYTEARRAY | TUPLE | LIST | DICT | SET | FROZENSET | RANGE


def integer_compare(kind: str, a: ranges.Range, b: ranges.Range) -> Fact:
    """The comparison of two integers by their ranges."""
    match kind:
        case "<":
            certain, impossible = ranges.high(a) < ranges.low(b), ranges.low(a) >= ranges.high(b)
        case "<=":
            certain, impossible = ranges.high(a) <= ranges.low(b), ranges.low(a) > ranges.high(b)
        case ">":
            certain, impossible = ranges.low(a) > ranges.high(b), ranges.high(a) <= ranges.low(b)
        case ">=":
            certain, impossible = ranges.low(a) >= ranges.high(b), ranges.high(a) < ranges.low(b)
        case _:
            same = a[0] is not None and a[0] == a[1] == b[0] == b[1]
            apart = ranges.intersect(a, b) is None
            certain, impossible = (same, apart) if kind == "==" else (apart, same)
    return TRUE if certain else FALSE if impossible else BOOLEAN


def quiet_value(fact: Fact) -> bool:
    """Whether comparing the value with another such runs no Python code."""
    if fact.only(NUMBER | NONE | STR | BYTES):
        return True
    return fact.only(TUPLE) and fact.items is not None and all(map(quiet_value, fact.items))


def compare(op: Compare, env: FunctionAnalysis) -> Answer:
    lhs, rhs = env.fact(op.lhs), env.fact(op.rhs)
    if not lhs.types or not rhs.types:
        return (NEVER,), fx.QUIET
    if lhs.only(INTEGER) and rhs.only(INTEGER):
        return (integer_compare(op.kind, lhs.range, rhs.range),), fx.QUIET
    if lhs.only(NUMBER) and rhs.only(NUMBER):
        if not all(f.only(FLOAT) or f.only(INTEGER) for f in (lhs, rhs)):
            env.note(op, reasons.MIXED)
        return (BOOLEAN,), fx.QUIET
    if quiet_value(lhs) and quiet_value(rhs):
        equality = op.kind in ("==", "!=")
        if equality and lhs.only(STR) and rhs.only(STR) and lhs.literal is not None and rhs.literal is not None:
            return (TRUE if (lhs.literal == rhs.literal) is (op.kind == "==") else FALSE,), fx.OBJECTS
        same = any(lhs.only(t) and rhs.only(t) for t in (STR, BYTES, NUMBER))
        return (BOOLEAN,), fx.OBJECTS | (fx.QUIET if equality or same else fx.RAISES)
    exact = SIZED & ~RANGE
    if lhs.only(exact | NUMBER | NONE) and rhs.only(exact | NUMBER | NONE):
        # Built-in containers answer with a bool, but compare their items by the items' own methods.
        return (BOOLEAN,), fx.ANYTHING
    external = external_operation(op, "operator", op.kind, [lhs, rhs], env)
    if external is not None:
        return external
    env.note(op, reasons.UNPROVEN)
    return (OBJECT,), fx.ANYTHING


def identity(op: Is, env: FunctionAnalysis) -> Answer:
    lhs, rhs = env.fact(op.lhs), env.fact(op.rhs)
    if not lhs.types or not rhs.types:
        return (NEVER,), fx.QUIET
    if lhs.types == rhs.types == NONE or (lhs.types == rhs.types == NULL):
        same = TRUE
    elif not lhs.types & rhs.types:
        same = FALSE
    else:
        return (BOOLEAN,), fx.QUIET
    return ((FALSE if same is TRUE else TRUE) if op.negate else same,), fx.QUIET


def is_unbound(op: IsUnbound, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    if not fact.types & NULL:
        return (FALSE if fact.types else NEVER,), fx.QUIET
    return (TRUE if fact.types == NULL else BOOLEAN,), fx.QUIET


def contains(op: Contains, env: FunctionAnalysis) -> Answer:
    item, holder = env.fact(op.item), env.fact(op.container)
    if not item.types or not holder.types:
        return (NEVER,), fx.QUIET
    if holder.only(RANGE) and item.only(INTEGER):
        return (BOOLEAN,), fx.QUIET
    if holder.only(STR) and item.only(STR):
        return (BOOLEAN,), fx.OBJECTS
    if quiet_value(item) and quiet_value(holder) and holder.only(TUPLE):
        return (BOOLEAN,), fx.OBJECTS
    if not holder.only(SIZED):
        env.note(op, reasons.UNPROVEN)
    return (BOOLEAN,), fx.ANYTHING


def truth_of(fact: Fact) -> tuple[Fact, int]:
    """``bool(x)`` of the value, and what finding out can do."""
    if fact.only(NONE):
        return FALSE, fx.QUIET
    if fact.only(INTEGER):
        if ranges.low(fact.range) > 0 or ranges.high(fact.range) < 0:
            return TRUE, fx.QUIET
        return (FALSE if fact.range == (0, 0) else BOOLEAN), fx.QUIET
    if fact.only(NUMBER | NONE):
        if fact.literal is not None:
            return boolean(*[int(bool(fact.literal.value))] * 2), fx.QUIET
        return BOOLEAN, fx.QUIET
    if fact.only(SIZED | NUMBER | NONE):
        if fact.length is not None and fact.only(SIZED):
            return (TRUE if fact.length else FALSE), fx.QUIET
        return BOOLEAN, fx.OBJECTS
    if number_of(fact):
        return BOOLEAN, fx.QUIET
    return BOOLEAN, fx.ANYTHING


def truth(op: Truth, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    if not fact.types:
        return (NEVER,), fx.QUIET
    result, effect = truth_of(fact)
    if effect == fx.ANYTHING:
        env.note(op, reasons.UNPROVEN)
    return (result,), effect


def from_bool(op: FromBool, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    if op.negate and fact.literal is not None:
        return (FALSE if fact.literal.value else TRUE,), fx.QUIET
    return (fact.plain(),), fx.QUIET


def isinstance_result(subject: Fact, classes: Fact) -> Fact:
    """``isinstance(subject, classes)``."""
    atoms = class_atoms(classes)
    if atoms is None:
        return BOOLEAN
    if subject.exact and not subject.types & atoms:
        return FALSE
    return TRUE if subject.only(atoms) else BOOLEAN


TABLE = {Compare: compare, Is: identity, IsUnbound: is_unbound, Contains: contains, Truth: truth, FromBool: from_bool}
__all__ = ["ANY_OBJECT", "TABLE", "isinstance_result", "truth_of", "without"]
