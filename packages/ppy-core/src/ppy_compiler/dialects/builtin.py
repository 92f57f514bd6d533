"""The ``builtin`` dialect: what holds everything else."""

from __future__ import annotations

from ppy_compiler.ir import Op, Trait, attr, region


class Module(Op):
    """One Python module (or, after lowering, one native unit): a region of one block that holds functions.

    ``sym`` is the module's import name, ``path`` the source's path as given by the user.
    """

    name = "builtin.module"
    traits = Trait.SYMBOL | Trait.ISOLATED
    sym = attr(str)
    path = attr(str, "")
    body = region()


OPS = (Module,)
