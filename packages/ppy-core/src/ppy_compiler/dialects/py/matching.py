"""Structural pattern matching (PEP 634)."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import PURE, RUNS
from ppy_compiler.ir import Op, attr, operand, result
from ppy_compiler.ir.types import I1, OBJECT


class MatchSequence(Op):
    """Whether the subject's type counts as a sequence."""

    name = "py.match_sequence"
    traits = PURE
    subject = operand()
    value = result(I1)


class MatchMapping(Op):
    name = "py.match_mapping"
    traits = PURE
    subject = operand()
    value = result(I1)


class MatchClass(Op):
    """A tuple of the ``count`` positional and the ``kwnames`` attributes, or ``None`` when ``subject`` does not
    match ``cls``."""

    name = "py.match_class"
    traits = RUNS
    count = attr(int)
    kwnames = attr(tuple, ())
    subject = operand()
    cls = operand()
    value = result(OBJECT)


class MatchKeys(Op):
    """A tuple of the values at ``keys`` (a tuple), or ``None`` when one is missing."""

    name = "py.match_keys"
    traits = RUNS
    subject = operand()
    keys = operand()
    value = result(OBJECT)


class Length(Op):
    """``len(object)`` as an ``int`` object."""

    name = "py.length"
    traits = RUNS
    argument = operand()
    value = result(OBJECT)


OPS = (MatchSequence, MatchMapping, MatchClass, MatchKeys, Length)
