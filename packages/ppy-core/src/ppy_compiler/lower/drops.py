"""Bindings whose end nobody can notice.

``py.drop`` keeps a value alive until its variable is rebound or the function ends, because a finalizer may run then.
A number or a string
has none, so its binding ends with its last use, and guards carry less.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.py.names import Drop
from ppy_compiler.infer import atoms
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Region, Value

UNNOTICED = atoms.INERT | atoms.NULL


def forget_unnoticed(region: Region, facts: Mapping[Value, Fact]) -> None:
    """Remove the drops of values whose release runs no Python code."""
    for block in region.blocks:
        for op in [op for op in block.ops if isinstance(op, Drop)]:
            fact = facts.get(op.value)
            if fact is not None and not fact.types & ~UNNOTICED:
                op.erase()
