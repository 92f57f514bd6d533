"""Transfer functions: one per operation class, beside its family; ``transfer_table`` puts the families together.

A transfer function gets the operation and the environment (the running ``FunctionAnalysis``) and answers the facts of
the results and
the effect bits of this very operation under the operands' facts. It must be monotone: larger operand facts, larger
answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Operation

Answer = tuple[tuple[Fact, ...], int]
Transfer = Callable[[Any, Any], Answer]


@cache
def transfer_table() -> dict[type[Operation], Transfer]:
    """Operation class to transfer function, for every operation of Python IR."""
    from ppy_compiler.infer.transfer import (
        arithmetic,
        calls,
        comparisons,
        containers,
        control,
        exceptions,
        functions,
        imports,
        items,
        iteration,
        matching,
        names,
        objects,
        strings,
        suspension,
    )

    families = (
        arithmetic,
        calls,
        comparisons,
        containers,
        control,
        exceptions,
        functions,
        imports,
        items,
        iteration,
        matching,
        names,
        objects,
        strings,
        suspension,
    )
    table: dict[type[Operation], Transfer] = {}
    for family in families:
        table.update(family.TABLE)
    return table
