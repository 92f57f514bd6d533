"""Completeness of the tables, and every operator's transfer function against CPython on sample values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
from ppy_compiler.dialects import cf, py
from ppy_compiler.dialects.py.functions import Func, Return
from ppy_compiler.dialects.py.operators import Binary, Compare, Unary
from ppy_compiler.infer import Fact, ModuleFacts
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.engine import FunctionAnalysis
from ppy_compiler.infer.facts import constant
from ppy_compiler.infer.lattice import join
from ppy_compiler.infer.module import ModuleAnalysis
from ppy_compiler.infer.results import Assumptions
from ppy_compiler.infer.transfer import transfer_table
from ppy_compiler.infer.transfer.rules import RULES
from ppy_compiler.ir import Block, Region
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.models import load, modelled_modules

Analyse = Callable[[str], ModuleFacts]


def test_every_operation_has_a_transfer_function() -> None:
    missing = {op.__name__ for op in (*py.OPS, *cf.OPS) if op not in transfer_table()}
    assert missing == {"Func"}


def test_rules_and_stubs_agree() -> None:
    used = {
        signature.result
        for module in modelled_modules()
        if (model := load(module)) is not None
        for entry in model.entries.values()
        for signature in entry.signatures
    }
    assert used - {""} == set(RULES)


ARITHMETIC = "add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor matmul".split()
BINARY: dict[str, Callable[[Any, Any], Any]] = dict(
    zip("+ - * / // % ** << >> & | ^ @".split(), (getattr(operator, name) for name in ARITHMETIC), strict=True)
)
COMPARE: dict[str, Callable[[Any, Any], Any]] = dict(
    zip("< <= == != > >=".split(), (getattr(operator, name) for name in "lt le eq ne gt ge".split()), strict=True)
)
INTEGERS = [0, 1, -1, 5, -7, 63, (1 << 63) - 1, -(1 << 63), 1 << 63, (1 << 64) - 1]
OTHERS = [True, False, 0.0, -0.0, 2.5, -3.0, float("inf"), float("nan"), None, "", "ab", b"x", 1j]
CONTAINERS = [(), (1, 2), [1, "a"], [2.0], {1: 2}, {3}, frozenset((1,)), range(3)]
SAMPLES: list[Any] = [*INTEGERS, *OTHERS, *CONTAINERS]


def evaluate(make: Callable[[Block], Any], facts: list[Fact]) -> tuple[Fact, int, bool]:
    """Result, effects and whether a guard stands, of one operation on operands with ``facts``."""
    block = Block([OBJECT] * len(facts), "entry")
    op = make(block)
    block.append(op)
    block.append(Return(op.results[0]))
    func = Func(Region([block]), sym="f", qualname="f", params=tuple(f"p{i}" for i in range(len(facts))))
    analysis = FunctionAnalysis(_Alone(), func, "f")
    analysis.run(tuple(facts), {})
    return analysis.facts[op.results[0]], analysis.op_effects[op], analysis.facts[op.results[0]].guarded


class _Alone(ModuleAnalysis):
    """A module of nothing."""

    def __init__(self) -> None:
        self.assumptions = Assumptions()
        self.private = frozenset()

    def private_globals(self, func: Func) -> frozenset[str]:
        return self.private


def abstractions(value: Any) -> list[Fact]:
    """The constant, and something wider."""
    exact = constant(value)
    if isinstance(value, (list, dict, set, range, frozenset)):
        return [exact] if isinstance(value, (frozenset,)) else [_typed(value)]
    wider = join(exact, constant(value + 1 if type(value) is int and value < 1 << 63 else value))
    return [exact, wider]


def _typed(value: Any) -> Fact:
    from ppy_compiler.infer.atoms import BY_CLASS
    from ppy_compiler.infer.facts import of_types

    return of_types(BY_CLASS[type(value)])


@pytest.mark.parametrize("kind", [*BINARY, *COMPARE])
def test_binary(kind: str, contains: Callable[[Fact, object], bool]) -> None:
    concrete = BINARY.get(kind) or COMPARE[kind]
    make: Any = Binary if kind in BINARY else Compare
    for left in SAMPLES:
        for right in SAMPLES:
            if kind in ("<<", "**") and type(right) is int and right > 100:
                continue
            if (
                kind == "*"
                and any(type(v) is int and v > 100 for v in (left, right))
                and not all(isinstance(v, (int, float, complex)) for v in (left, right))
            ):
                continue
            try:
                value = concrete(left, right)
                raised = False
            except Exception:
                value, raised = None, True
            for a in abstractions(left):
                for b in abstractions(right):
                    fact, effects, guarded = evaluate(lambda e: make(*e.args, kind=kind), [a, b])
                    case = (left, kind, right, str(fact))
                    if raised:
                        assert effects & fx.RAISES, case
                    elif guarded:
                        assert fact.types, case
                    else:
                        assert contains(fact, value), (*case, value)


@pytest.mark.parametrize("kind", ["-", "+", "~"])
def test_unary(kind: str, contains: Callable[[Fact, object], bool]) -> None:
    concrete: Any = {"-": operator.neg, "+": operator.pos, "~": operator.invert}[kind]
    for sample in SAMPLES:
        for fact in abstractions(sample):
            found, effects, guarded = evaluate(lambda e: Unary(e.args[0], kind=kind), [fact])
            try:
                value = concrete(sample)
            except TypeError:
                assert effects & fx.RAISES
            else:
                assert guarded or contains(found, value), (kind, sample, str(found), value)
