"""The checker: facts turned into diagnostics.

Takes a module, its facts and its text; answers errors about what is certain to fail or contradicts its annotations,
and remarks about
what stays general. Nothing is reported that a valid program could draw: an error needs types that are proven or
declared, not types that
inference guessed from what it saw, and code that catches the exception or is marked ``# type: ignore`` means what it
does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.dialects.builtin import Module
from ppy_compiler.infer.results import ModuleFacts
from ppy_compiler.ir import Operation
from ppy_compiler.support.source import Source

Rule = Callable[[Any, Any], None]

__all__ = ["check"]


def check(module: Module, facts: ModuleFacts, source: Source) -> list[Diagnostic]:
    """Everything to be said about ``module``, in the order of its places."""
    from ppy_compiler.infer.checker import (
        attributes,
        calls,
        contracts,
        declarations,
        names,
        operations,
        remarks,
        returns,
    )
    from ppy_compiler.infer.checker.context import Context

    context = Context(module, facts, source)
    rules: dict[type[Operation], list[Rule]] = {}
    for family in (declarations, attributes, calls, names, operations, returns):
        for kind, rule in family.RULES.items():
            rules.setdefault(kind, []).append(rule)
    for function in facts.functions.values():
        for block in function.func.body.blocks:
            if block not in function.reachable:
                continue
            view = context.view(function, block)
            for op in block.ops:
                for rule in rules.get(type(op), ()):
                    rule(op, view)
        declarations.check_function(function, context)
        contracts.check_function(function, context)
    remarks.collect(context)
    return sorted(context.found, key=lambda diagnostic: diagnostic.sort_key)
