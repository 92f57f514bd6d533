"""Local rules of the ``py`` and ``cf`` dialects, and constant folding.

Leaves equal programs in one form: constants evaluated, tests of known outcome decided, truth tests of truth values
gone.
"""

from __future__ import annotations

from ppy_compiler.dialects.cf import Br, CondBr
from ppy_compiler.dialects.py import names, operators
from ppy_compiler.dialects.py.names import Const
from ppy_compiler.ir.core import BlockArgument, Operation, OpResult, Successor, Value
from ppy_compiler.ir.rewrite import Pattern, Rewriter, apply_patterns
from ppy_compiler.ir.types import I1
from ppy_compiler.passes.transforms import folding


def canonicalize(func: Operation) -> bool:
    """Apply all rules inside ``func`` until none matches; whether anything changed."""
    return apply_patterns(func, PATTERNS)


def fold(op: Operation, rewriter: Rewriter) -> bool:
    if op.results[0].type == I1:
        return False  # A truth value has no literal: ``decide`` looks through to it.
    try:
        result = folding.evaluate(op)
    except folding.NotConstant:
        return False
    constant = Const(literal=result)
    rewriter.replace(op, constant, [constant.value])
    return True


def _maker(value: Value) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def truth_of_truth(op: operators.Truth, rewriter: Rewriter) -> bool:
    """``bool(True if c else False)`` is ``c``."""
    made = _maker(op.argument)
    if not isinstance(made, operators.FromBool) or made.negate:
        return False
    rewriter.replace(op, None, [made.argument])
    return True


def unneeded_truth(op: operators.Truth, rewriter: Rewriter) -> bool:
    """A test that nobody asks for, of something whose truth runs no code."""
    if op.value.uses:
        return False
    if not isinstance(_maker(op.argument), operators.FromBool) and folding.known_truth(op.value) is None:
        return False
    rewriter.erase(op)
    return True


def turn_branch(op: CondBr, rewriter: Rewriter) -> bool:
    """A branch on ``not c`` is one on ``c`` with its sides exchanged."""
    test = _maker(op.condition)
    made = _maker(test.argument) if isinstance(test, operators.Truth) else None
    if not isinstance(made, operators.FromBool) or not made.negate:
        return False
    sides = [Successor(edge.block, edge.operands) for edge in (op.otherwise, op.then)]
    likely = None if op.likely is None else not op.likely
    rewriter.replace(op, CondBr(made.argument, *sides, likely=likely), [])
    return True


def decide(op: CondBr, rewriter: Rewriter) -> bool:
    """A branch whose test is known."""
    outcome = folding.known_truth(op.condition)
    if outcome is None:
        return False
    taken = op.then if outcome else op.otherwise
    rewriter.replace(op, Br(Successor(taken.block, taken.operands)), [])
    return True


def bound(op: names.CheckBound, rewriter: Rewriter) -> bool:
    """What another operation computed is no null marker; iteration's results and block arguments may be."""
    made = _maker(op.argument)
    if isinstance(op.argument, BlockArgument) or not isinstance(made, ALWAYS_BOUND):
        return False
    rewriter.replace(op, None, [op.argument])
    return True


def nothing_dropped(op: names.Drop, rewriter: Rewriter) -> bool:
    """Letting go of a literal, or of nothing, runs no code."""
    if not isinstance(_maker(op.value), names.Const | names.Unbound):
        return False
    rewriter.erase(op)
    return True


ALWAYS_BOUND = (
    names.Const, names.LoadGlobal, names.CheckBound, operators.Unary, operators.Binary, operators.Compare,
    operators.FromBool,
)
PATTERNS: dict[type[Operation], list[Pattern]] = {op: [fold] for op in folding.FOLDABLE}
PATTERNS[operators.Truth] = [unneeded_truth, truth_of_truth]
PATTERNS[CondBr] = [decide, turn_branch]
PATTERNS[names.CheckBound] = [bound]
PATTERNS[names.Drop] = [nothing_dropped]
