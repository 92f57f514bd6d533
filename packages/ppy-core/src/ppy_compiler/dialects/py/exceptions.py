"""Raising, matching and the handled exception."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import EFFECT, RUNS
from ppy_compiler.ir import Op, Trait, operand, opt_operand, result
from ppy_compiler.ir.types import I1, OBJECT


class Raise(Op):
    """``raise [exception [from cause]]``; without ``exception`` the handled one is raised again (RuntimeError when
    there is none)."""

    name = "py.raise"
    traits = RUNS | Trait.TERMINATOR
    exception = opt_operand()
    cause = opt_operand()


class Reraise(Op):
    """Let ``exception`` go on unwinding, unchanged: no new context, no further traceback entry for this operation."""

    name = "py.reraise"
    traits = RUNS | Trait.TERMINATOR
    exception = operand()


class PushExc(Op):
    """Make ``exception`` the handled one (``sys.exception()``); the result is the previous one or ``None``."""

    name = "py.push_exc"
    traits = EFFECT
    exception = operand()
    previous = result(OBJECT)


class PopExc(Op):
    """Make ``previous`` the handled exception again."""

    name = "py.pop_exc"
    traits = EFFECT | Trait.RUNS_CODE
    previous = operand()


class ExcMatch(Op):
    """Whether ``exception`` is handled by ``except pattern``; TypeError when the pattern is not an exception class
    or tuple of them."""

    name = "py.exc_match"
    traits = RUNS
    exception = operand()
    pattern = operand()
    value = result(I1)


class ExcGroupMatch(Op):
    """``except* pattern``: the matching part (or ``None``) and the rest (or ``None``)."""

    name = "py.exc_group_match"
    traits = RUNS
    exception = operand()
    pattern = operand()
    matched = result(OBJECT)
    rest = result(OBJECT)


class PrepReraiseStar(Op):
    """After all ``except*`` clauses: what remains to be raised from ``original`` and the list of raised and
    unhandled ones, or ``None``."""

    name = "py.prep_reraise_star"
    traits = RUNS
    original = operand()
    exceptions = operand()
    value = result(OBJECT)


class LoadAssertionError(Op):
    """The builtin ``AssertionError``, whatever the name is bound to."""

    name = "py.load_assertion_error"
    traits = Trait.PURE
    value = result(OBJECT)


OPS = (Raise, Reraise, PushExc, PopExc, ExcMatch, ExcGroupMatch, PrepReraiseStar, LoadAssertionError)
