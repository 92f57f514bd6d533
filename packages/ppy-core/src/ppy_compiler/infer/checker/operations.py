"""Operators, iteration, subscripts and unpacking that certainly raise. CPython itself is asked, on sample values of
the types."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ppy_compiler.diagnostics.codes import types as codes
from ppy_compiler.dialects.py.containers import Unpack
from ppy_compiler.dialects.py.iteration import Iter
from ppy_compiler.dialects.py.operators import Binary, Compare, GetItem
from ppy_compiler.infer import atoms
from ppy_compiler.infer.atoms import atoms_of
from ppy_compiler.infer.checker.context import View, shown

SAMPLES: dict[int, Any] = {
    atoms.INT: 1,
    atoms.BOOL: True,
    atoms.FLOAT: 1.5,
    atoms.COMPLEX: 1j,
    atoms.NONE: None,
    atoms.STR: "a",
    atoms.BYTES: b"a",
    atoms.TUPLE: (1,),
    atoms.LIST: [1],
    atoms.DICT: {1: 1},
    atoms.SET: {1},
    atoms.FROZENSET: frozenset((1,)),
    atoms.BYTEARRAY: bytearray(b"a"),
    atoms.RANGE: range(1),
    atoms.SLICE: slice(0, 1),
}
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
INPLACE = {
    "+": operator.iadd,
    "*": operator.imul,
    "|": operator.ior,
    "&": operator.iand,
    "-": operator.isub,
    "^": operator.ixor,
}


def _fails(apply: Callable[..., Any], *samples: Any) -> bool:
    """Whether CPython refuses the types; other exceptions depend on the values."""
    fresh = [
        list(s) if isinstance(s, list) else dict(s) if isinstance(s, dict) else set(s) if isinstance(s, set) else s
        for s in samples
    ]
    try:
        apply(*fresh)
    except TypeError:
        return True
    except Exception:
        return False
    return False


@lru_cache(maxsize=4096)
def _always_fails(kind: str, inplace: bool, left: int, right: int) -> bool:
    apply = INPLACE.get(kind, OPERATORS[kind]) if inplace else OPERATORS[kind]
    return all(
        a in SAMPLES and b in SAMPLES and _fails(apply, SAMPLES[a], SAMPLES[b])
        for a in atoms_of(left)
        for b in atoms_of(right)
    )


def binary(op: Binary | Compare, view: View) -> None:
    if not view.certain(op.lhs, op.rhs):
        return
    lhs, rhs = view.fact(op.lhs), view.fact(op.rhs)
    inplace = isinstance(op, Binary) and op.inplace
    if op.kind == "%" and lhs.types & (atoms.STR | atoms.BYTES | atoms.BYTEARRAY):
        return  # formatting depends on the text
    if _always_fails(op.kind, inplace, lhs.types, rhs.types):
        sign = op.kind + "=" if inplace else op.kind
        view.report(codes.UNSUPPORTED_OPERAND, op, operator=sign, left=shown(lhs), right=shown(rhs))


def iterate(op: Iter, view: View) -> None:
    if view.certain(op.iterable):
        fact = view.fact(op.iterable)
        if all(atom in SAMPLES and _fails(iter, SAMPLES[atom]) for atom in atoms_of(fact.types)):
            view.report(codes.NOT_ITERABLE, op, type=shown(fact))


def getitem(op: GetItem, view: View) -> None:
    if not view.certain(op.object, op.index):
        return
    holder, index = view.fact(op.object), view.fact(op.index)
    pairs = [(a, b) for a in atoms_of(holder.types) for b in atoms_of(index.types)]
    if all(a in SAMPLES and b in SAMPLES and _fails(operator.getitem, SAMPLES[a], SAMPLES[b]) for a, b in pairs):
        if not holder.types & atoms.DICT:
            view.report(codes.NOT_SUBSCRIPTABLE, op, type=shown(holder), index=shown(index))


def unpack(op: Unpack, view: View) -> None:
    if not view.certain(op.iterable):
        return
    fact = view.fact(op.iterable)
    if fact.only(atoms.TUPLE) and fact.items is not None and len(fact.items) != len(op.results):
        view.report(codes.UNPACK_COUNT, op, raises="ValueError", actual=len(fact.items), expected=len(op.results))
    elif all(atom in SAMPLES and _fails(iter, SAMPLES[atom]) for atom in atoms_of(fact.types)):
        view.report(codes.NOT_ITERABLE, op, type=shown(fact))


RULES = {Binary: binary, Compare: binary, Iter: iterate, GetItem: getitem, Unpack: unpack}
