"""Remarks: why functions run as Python and why operations stay general, as diagnostics at their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import find
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.ir import Value
from ppy_compiler.ir.printer import print_op

if TYPE_CHECKING:
    from ppy_compiler.dialects.builtin import Module
    from ppy_compiler.infer.results import ModuleFacts


def remarks_of(module: Module, facts: ModuleFacts) -> tuple[Diagnostic, ...]:
    """The remarks about a module that was analysed."""
    whole = [_stayed_python(module.path, op) for op in module.body.entry.ops if isinstance(op, Func) and op.native]
    return tuple(whole)


def _stayed_python(path: str, func: Func) -> Diagnostic:
    return find(func.native).at(path, func.span, subject=func.qualname, function=func.qualname)


def typed_text(module: Module, facts: ModuleFacts) -> str:
    """The IR of a module with what is known of each value beside it."""
    from ppy_compiler.infer.display import show

    known = {value: fact for function in facts.functions.values() for value, fact in function.values.items()}

    def note(values: Sequence[Value]) -> str:
        return ", ".join(
            show(known[value]) + (" guarded" if known[value].guarded else "") for value in values if value in known
        )

    return print_op(module, note) + "\n"
