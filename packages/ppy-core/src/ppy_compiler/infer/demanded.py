"""Demanded bits, backwards: how many low bits of an integer its users look at.

A mask ``& m`` looks at the bits of ``m``; ``+ - * & | ^ ~`` and a left shift by a constant need only as many low bits
of their operands as are
demanded of them. Everything else, block arguments included, demands the whole integer. Only integers that would need
a word guard are listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.names import Annotated
from ppy_compiler.dialects.py.operators import Binary, Unary
from ppy_compiler.infer.atoms import INT, INTEGER
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Operation, OpResult, Successor, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis

WORD = 64
ALL = 1 << 30
"""Stands for "every bit"."""
LOW_BITS = frozenset(("+", "-", "*", "&", "|", "^"))


def demanded_bits(analysis: FunctionAnalysis) -> dict[Value, int]:
    """For each guarded integer of which at most 64 low bits are demanded: how many."""
    found: dict[Value, int] = {}
    for block in reversed(analysis.shape.order):
        if block not in analysis.reachable:
            continue
        for op in reversed(block.ops):
            if not isinstance(op, (Binary, Unary, Annotated)):
                continue
            result = op.results[0]
            fact = analysis.facts.get(result)
            if fact is None or not fact.only(INT):
                continue
            bits = max((_use(use.user, use.slot, found, analysis) for use in result.uses), default=ALL)
            if (bits <= WORD and fact.wide is not None) or bits <= WORD:
                found[result] = bits
    return {value: bits for value, bits in found.items() if analysis.facts[value].guarded}


def _use(user: object, slot: int, found: dict[Value, int], analysis: FunctionAnalysis) -> int:
    if isinstance(user, Successor) or not isinstance(user, (Binary, Unary)):
        return 0 if isinstance(user, Operation) and user.name == "py.drop" else ALL
    result = user.results[0]
    fact = analysis.facts.get(result)
    if fact is None or not fact.only(INT):
        return ALL
    mine = found.get(result, ALL)
    if isinstance(user, Unary):
        return mine
    return _binary_use(user, slot, mine, analysis)


def _fact(value: Value, analysis: FunctionAnalysis) -> Fact | None:
    fact = analysis.facts.get(value)
    return fact if fact is not None and fact.only(INTEGER) else None


def _binary_use(user: Binary, slot: int, mine: int, analysis: FunctionAnalysis) -> int:
    other = _fact(user.operands[1 - slot], analysis)
    if other is None:
        return ALL
    match user.kind:
        case "&":
            # Bits above a mask that is not negative do not come through.
            if other.lo is not None and other.lo >= 0 and other.hi is not None:
                return min(mine, other.hi.bit_length())
            return mine
        case "%" if slot == 0 and other.literal is not None and other.lo is not None and other.lo > 0:
            modulus = other.lo
            return modulus.bit_length() - 1 if modulus & (modulus - 1) == 0 else ALL
        case "<<" if slot == 0 and other.literal is not None and other.lo is not None and 0 <= other.lo <= WORD:
            return max(mine - other.lo, 0) if mine < ALL else ALL
        case kind if kind in LOW_BITS:
            return mine
    return ALL


__all__ = ["ALL", "OpResult", "demanded_bits"]
