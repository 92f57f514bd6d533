"""``py.unary`` and ``py.binary``: numbers with ranges, sequences by type, everything else as objects."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ppy_compiler.dialects.py.operators import Binary, Unary
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import ranges, reasons
from ppy_compiler.infer.atoms import BOOL, COMPLEX, FLOAT, INT, INTEGER, NONE, NUMBER
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact, boolean, constant, integer, of_types
from ppy_compiler.infer.lattice import join, without
from ppy_compiler.infer.ranges import Range
from ppy_compiler.infer.transfer.external import external_operation
from ppy_compiler.infer.transfer.sequences import sequence_binary

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

FLOAT_SAFE: Range = (-(1 << 1000), 1 << 1000)
"""Integers that convert to ``float`` without OverflowError."""
FOLDABLE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}


def word_result(math: Range, *operands: Fact) -> Fact:
    """An integer result with mathematical range ``math``, kept in a word under guard where its operands are words."""
    signed = all(operand.signed for operand in operands)
    if ranges.within(math, ranges.I64) or (not signed and ranges.fits_word(math)):
        return integer(*math)
    if not all(ranges.fits_word(operand.range) for operand in operands):
        return integer(*math)
    target = ranges.I64 if signed else ranges.U64
    clamped = ranges.intersect(math, target)
    if clamped is None:
        return integer(*math)
    return Fact(INT, clamped[0], clamped[1], math, guarded=True)


def _note_big(op: Unary | Binary, env: FunctionAnalysis, fact: Fact) -> None:
    if not fact.guarded and not fact.fits_word:
        env.note(op, reasons.BIG)


def _may_be_zero(fact: Fact) -> bool:
    if fact.types & FLOAT:
        return fact.literal is None or fact.literal.value == 0
    return ranges.low(fact.range) <= 0 <= ranges.high(fact.range)


def _raises_if(condition: bool) -> int:
    return fx.RAISES if condition else fx.QUIET


def integer_binary(kind: str, lhs: Fact, rhs: Fact) -> tuple[Fact, int]:
    """``lhs kind rhs`` of exact ``int`` and ``bool``."""
    a, b = lhs.wide_range, rhs.wide_range
    match kind:
        case "&" | "|" | "^" if lhs.types & rhs.types & BOOL:
            math = ranges.OPERATIONS[kind](a, b)
            if lhs.types == rhs.types == BOOL:
                return boolean(max(ranges.low(math), 0), min(ranges.high(math), 1)), fx.QUIET
            return join(integer(*math), boolean()), fx.QUIET
        case "+" | "-" | "*" | "&" | "|" | "^":
            return word_result(ranges.OPERATIONS[kind](a, b), lhs, rhs), fx.QUIET
        case "<<" | ">>":
            negative = ranges.low(rhs.range) < 0
            if ranges.high(rhs.range) < 0:
                return NEVER, fx.RAISES
            huge = kind == "<<" and ranges.high(rhs.range) > 1 << 32
            return word_result(ranges.OPERATIONS[kind](a, b), lhs, rhs), _raises_if(negative or huge)
        case "//" | "%":
            found = ranges.floordiv(a, b) if kind == "//" else ranges.mod(a, b)
            if found is None:
                return NEVER, fx.RAISES
            return word_result(found, lhs, rhs), _raises_if(_may_be_zero(rhs))
        case "/":
            safe = ranges.within(lhs.range, FLOAT_SAFE) and ranges.within(rhs.range, FLOAT_SAFE)
            return of_types(FLOAT), _raises_if(_may_be_zero(rhs) or not safe)
        case "**":
            return _integer_power(lhs, rhs)
    return OBJECT, fx.ANYTHING


def _integer_power(lhs: Fact, rhs: Fact) -> tuple[Fact, int]:
    if ranges.low(rhs.range) >= 0:
        return word_result(ranges.power(lhs.range, rhs.range), lhs, rhs), fx.QUIET
    if ranges.high(rhs.range) < 0:
        return of_types(FLOAT), fx.RAISES
    return of_types(INT | FLOAT), fx.RAISES


def _float_binary(kind: str, lhs: Fact, rhs: Fact) -> tuple[Fact, int]:
    """At least one operand is certainly a ``float``, the other a number."""
    convertible = all(not f.types & INTEGER or ranges.within(f.range, FLOAT_SAFE) for f in (lhs, rhs))
    match kind:
        case "+" | "-" | "*":
            return of_types(FLOAT), _raises_if(not convertible)
        case "/" | "//" | "%":
            return of_types(FLOAT), _raises_if(not convertible or _may_be_zero(rhs))
        case "**":
            return _float_power(lhs, rhs), fx.RAISES
    return NEVER, fx.RAISES


def _float_power(lhs: Fact, rhs: Fact) -> Fact:
    whole = rhs.only(INTEGER) or (rhs.literal is not None and float(rhs.literal.value).is_integer())
    positive = (lhs.literal is not None and lhs.literal.value >= 0) or (
        lhs.only(INTEGER) and ranges.low(lhs.range) >= 0
    )
    if whole or positive:
        return of_types(FLOAT)
    # A negative base with a fractional exponent gives a complex number: left to the twin.
    return Fact(FLOAT, guarded=True)


def _fold(kind: str, lhs: Fact, rhs: Fact) -> Fact | None:
    """The literal result of floats; integers fold through their ranges."""
    if lhs.literal is None or rhs.literal is None or kind not in FOLDABLE:
        return None
    try:
        value = FOLDABLE[kind](lhs.literal.value, rhs.literal.value)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return constant(value) if type(value) is float else None


def number_binary(kind: str, lhs: Fact, rhs: Fact) -> tuple[Fact, int]:
    """``lhs kind rhs`` of exact numbers, joined over the combinations of types."""
    if lhs.only(INTEGER) and rhs.only(INTEGER):
        return integer_binary(kind, lhs, rhs)
    if lhs.only(FLOAT) or rhs.only(FLOAT):
        fact, effect = _float_binary(kind, lhs, rhs)
        return (_fold(kind, lhs, rhs) or fact, effect)
    result, effects = NEVER, fx.QUIET
    for left in _parts(lhs):
        for right in _parts(rhs):
            fact, effect = number_binary(kind, left, right)
            result, effects = join(result, fact), effects | effect
    return result, effects


def _parts(fact: Fact) -> list[Fact]:
    return [part for part in (without(fact, FLOAT), without(fact, INTEGER)) if part.types]


def binary(op: Binary, env: FunctionAnalysis) -> Answer:
    lhs, rhs = env.fact(op.lhs), env.fact(op.rhs)
    if not lhs.types or not rhs.types:
        return (NEVER,), fx.QUIET
    if lhs.only(NUMBER) and rhs.only(NUMBER):
        fact, effect = number_binary(op.kind, lhs, rhs)
        if fact.only(INT):
            _note_big(op, env, fact)
        elif len(_parts(lhs)) > 1 or len(_parts(rhs)) > 1 or not fact.only(FLOAT | BOOL):
            env.note(op, reasons.MIXED)
        return (fact,), effect
    if lhs.only(NUMBER | NONE) and rhs.only(NUMBER | NONE):
        return _optional_binary(op, env, lhs, rhs)
    if lhs.only(NUMBER | COMPLEX) and rhs.only(NUMBER | COMPLEX) and op.kind in "+-*/**":
        env.note(op, reasons.NO_NATIVE_FORM)
        return (
            of_types(COMPLEX if lhs.only(COMPLEX) or rhs.only(COMPLEX) else NUMBER | COMPLEX),
        ), fx.RAISES | fx.OBJECTS
    external = external_operation(op, "operator", op.kind, [lhs, rhs], env, op.inplace)
    if external is not None:
        return external
    answer = sequence_binary(op.kind, op.inplace, lhs, rhs)
    if answer is not None:
        return (answer[0],), answer[1]
    env.note(op, reasons.UNPROVEN)
    return (OBJECT,), fx.ANYTHING


def _optional_binary(op: Binary, env: FunctionAnalysis, lhs: Fact, rhs: Fact) -> Answer:
    """``None`` raises TypeError in every operator with a number, so the result is that of the numbers."""
    left, right = without(lhs, NONE), without(rhs, NONE)
    env.note(op, reasons.UNPROVEN)
    if not left.types or not right.types:
        return (NEVER,), fx.RAISES
    fact, effect = number_binary(op.kind, left, right)
    return (fact,), effect | fx.RAISES


def unary(op: Unary, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    if not fact.types:
        return (NEVER,), fx.QUIET
    if fact.only(INTEGER):
        math = {"-": ranges.neg, "~": ranges.invert}.get(op.kind, lambda r: r)(fact.wide_range)
        result = word_result(math, fact)
        _note_big(op, env, result)
        warns = op.kind == "~" and fact.types & BOOL
        return (result,), fx.ANYTHING if warns else fx.QUIET
    if fact.only(FLOAT) and op.kind != "~":
        if fact.literal is not None:
            return (constant(-fact.literal.value if op.kind == "-" else fact.literal.value),), fx.QUIET
        return (of_types(FLOAT),), fx.QUIET
    if fact.only(NUMBER) and op.kind != "~":
        env.note(op, reasons.MIXED)
        return (of_types(INT | FLOAT),), fx.QUIET
    external = external_operation(op, "operator", op.kind, [fact], env)
    if external is not None:
        return external
    env.note(op, reasons.NO_NATIVE_FORM if fact.only(COMPLEX) else reasons.UNPROVEN)
    return (OBJECT,), fx.ANYTHING


TABLE = {Unary: unary, Binary: binary}
