"""The ``cf`` dialect: control flow between blocks, shared by Python IR and native IR."""

from __future__ import annotations

from ppy_compiler.ir import Op, Trait, attr, operand, successor


class Br(Op):
    """Go to ``target``."""

    name = "cf.br"
    traits = Trait.TERMINATOR
    target = successor()


class CondBr(Op):
    """Go to ``then`` when ``condition`` (``i1``) is true, else to ``otherwise``.

    ``likely`` is ``True`` or ``False`` where one side is known to be the common one (guards, loops).
    """

    name = "cf.cond_br"
    traits = Trait.TERMINATOR
    condition = operand()
    then = successor()
    otherwise = successor()
    likely = attr(None, None)


class Unreachable(Op):
    """Control never comes here."""

    name = "cf.unreachable"
    traits = Trait.TERMINATOR


OPS = (Br, CondBr, Unreachable)
