"""What a branch condition proves about the values it tests, on each side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.operators import Compare, FromBool, Is, IsUnbound, Truth
from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BOOL,
    BUILTIN,
    BY_NAME,
    BYTES,
    CLASS,
    INT,
    INTEGER,
    NONE,
    NULL,
    NUMBER,
    OTHER,
    STR,
    TUPLE,
)
from ppy_compiler.infer.facts import Fact, integer, of_types, replace
from ppy_compiler.infer.lattice import meet, without
from ppy_compiler.ir import Operation, OpResult, Successor, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis

Narrowings = dict[Value, Fact]
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def condition_edges(op: Operation, env: FunctionAnalysis) -> Iterator[tuple[Successor, Narrowings]]:
    """The successors of terminator ``op`` that can be taken, with what is known on each."""
    if type(op) is not cf.CondBr:
        for successor in op.successors:
            yield successor, {}
        return
    condition = env.fact(op.condition)
    for successor, truth in ((op.then, True), (op.otherwise, False)):
        if condition.literal is not None and condition.literal.value is not truth:
            continue
        found: Narrowings = {}
        _assume(op.condition, truth, op, env, found)
        if all(fact.types for fact in found.values()):
            yield successor, found


def _defining(value: Value) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def _add(value: Value, fact: Fact, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    env.watch(value, branch)
    before = found.get(value)
    if before is None:
        before = env.fact(value)
    if fact is not before and fact != before:
        found[value] = fact


def _assume(value: Value, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    """Record what ``value`` (a truth value or an object) being true or false proves."""
    op = _defining(value)
    rule = RULES.get(type(op)) if op is not None else None
    if rule is not None:
        rule(op, truth, branch, env, found)


def _from_bool(op: FromBool, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    _assume(op.argument, truth is not op.negate, branch, env, found)


def _truth(op: Truth, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    _assume(op.argument, truth, branch, env, found)
    _truthiness(op.argument, truth, branch, env, found)


def _unbound(op: IsUnbound, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    fact = env.fact(op.argument)
    _add(op.argument, meet(fact, of_types(NULL)) if truth else without(fact, NULL), branch, env, found)


def _truthiness(value: Value, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    fact = found.get(value, env.fact(value))
    env.watch(value, branch)
    if truth:
        fact = without(fact, NONE)
        if fact.only(INTEGER):
            lo, hi = fact.range
            lo, hi = (1 if lo == 0 else lo), (-1 if hi == 0 else hi)
            fact = _ranged(fact, (lo, hi))
    elif fact.types & INTEGER:
        fact = _ranged(fact, (0, 0))
    _add(value, fact, branch, env, found)


def _ranged(fact: Fact, limits: ranges.Range) -> Fact:
    """``fact`` whose integers lie in ``limits``; its other types stay."""
    rest = fact.types & ~INTEGER
    narrowed = meet(fact, Fact(INTEGER | rest, limits[0], limits[1]))
    if not rest or narrowed.types & INTEGER:
        return narrowed
    return meet(fact, of_types(rest))


def _compare(op: Compare, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    lhs, rhs = env.fact(op.lhs), env.fact(op.rhs)
    env.watch(op.lhs, branch)
    env.watch(op.rhs, branch)
    if not (lhs.only(INTEGER) and rhs.only(INTEGER)):
        # Facts about floats and their comparisons with integers carry no ranges; other objects compare as they please.
        return
    kind = op.kind if truth else NEGATED[op.kind]
    _add(op.lhs, _limited(lhs, kind, rhs), branch, env, found)
    _add(op.rhs, _limited(rhs, SWAPPED[kind], lhs), branch, env, found)


def _limited(fact: Fact, kind: str, other: Fact) -> Fact:
    """``fact`` given ``value kind other``, both integers."""
    lo, hi = other.range
    match kind:
        case "<":
            limits: ranges.Range = (None, None if hi is None else hi - 1)
        case "<=":
            limits = (None, hi)
        case ">":
            limits = (None if lo is None else lo + 1, None)
        case ">=":
            limits = (lo, None)
        case "==":
            limits = (lo, hi)
        case _:
            if lo is None or lo != hi:
                return fact
            limits = (
                lo + 1 if fact.lo == lo else None,
                lo - 1 if fact.hi == lo else None,
            )
    return _ranged(fact, limits)


def _identity(op: Is, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    same = truth is not op.negate
    for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        fact, against = env.fact(value), env.fact(other)
        env.watch(other, branch)
        if against.only(NONE):
            narrowed = meet(fact, of_types(NONE)) if same else without(fact, NONE)
            _add(value, narrowed, branch, env, found)
        elif same and against.only(BOOL) and against.literal is not None:
            _add(value, meet(fact, against.plain()), branch, env, found)
        elif same and against.only(CLASS):
            _exact_type(value, against.name, branch, env, found)


def _exact_type(value: Value, name: str, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    """``type(x) is C``."""
    op = _defining(value)
    atom = BY_NAME.get(name.removeprefix("builtins."), 0) if name.startswith("builtins.") else 0
    if not atom or not isinstance(op, Call) or len(op.args) != 1 or op.kwnames:
        return
    callee = env.fact(op.callee)
    if callee.only(CLASS) and callee.name == "builtins.type":
        _add(op.args[0], meet(env.fact(op.args[0]), of_types(atom)), branch, env, found)


def class_atoms(fact: Fact) -> int | None:
    """Atoms of instances of the builtin class (or tuple of them) that ``fact`` describes, subclasses aside; ``None``
    when it is another."""
    if fact.only(TUPLE) and fact.items is not None:
        atoms = 0
        for item in fact.items:
            inner = class_atoms(item)
            if inner is None:
                return None
            atoms |= inner
        return atoms
    if fact.only(NONE):
        return None
    if fact.only(CLASS) and fact.name.startswith("builtins."):
        atom = BY_NAME.get(fact.name.removeprefix("builtins."))
        return None if atom is None else atom | BOOL if atom == INT else atom
    return None


def _isinstance(op: Call, truth: bool, branch: Operation, env: FunctionAnalysis, found: Narrowings) -> None:
    callee = env.fact(op.callee)
    if not (callee.only(BUILTIN) and callee.name == "builtins.isinstance") or len(op.args) != 2 or op.kwnames:
        return
    subject = env.fact(op.args[0])
    env.watch(op.args[1], branch)
    atoms = class_atoms(env.fact(op.args[1]))
    if atoms is None:
        return
    narrowed = meet(subject, of_types(atoms | OTHER)) if truth else without(subject, atoms)
    _add(op.args[0], narrowed, branch, env, found)


RULES: dict[type[Operation], Callable[[Any, bool, Operation, FunctionAnalysis, Narrowings], None]] = {
    FromBool: _from_bool,
    Truth: _truth,
    Compare: _compare,
    Is: _identity,
    IsUnbound: _unbound,
    Call: _isinstance,
}


def scalar_or_text(fact: Fact) -> bool:
    """Whether comparing, hashing or printing the value runs none of the program's code."""
    return fact.only(NUMBER | NONE | STR | BYTES)


__all__ = ["ANY_OBJECT", "class_atoms", "condition_edges", "integer", "replace", "scalar_or_text"]
