"""Remarks: why functions run as Python and why operations stay general, as diagnostics at their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppy_compiler.diagnostics.code import Diagnostic, Severity
from ppy_compiler.diagnostics.sink import promote
from ppy_compiler.driver.check import findings
from ppy_compiler.ir import Value
from ppy_compiler.ir.printer import print_op

if TYPE_CHECKING:
    from ppy_compiler.dialects.builtin import Module
    from ppy_compiler.driver.programs import BuiltProgram
    from ppy_compiler.driver.session import Session
    from ppy_compiler.infer.results import ModuleFacts
    from ppy_compiler.support.source import Source


def remarks_of(session: Session, source: Source) -> list[Diagnostic]:
    """The remarks about one module."""
    return [finding for finding in findings(session, source) if finding.severity is Severity.REMARK]


def strict_errors(session: Session, built: BuiltProgram) -> list[Diagnostic]:
    """The remarks that the configuration makes errors, as errors."""
    errors: list[Diagnostic] = []
    for source in built.sources:
        if families := session.config.for_file(source.path)["strict"]:
            found = promote(remarks_of(session, source), families)
            errors += [finding for finding in found if finding.severity is Severity.ERROR]
    return errors


def typed_text(module: Module, facts: ModuleFacts) -> str:
    """The IR of a module with what is known of each value beside it."""
    from ppy_compiler.infer.display import show

    known = {value: fact for function in facts.functions.values() for value, fact in function.values.items()}

    def note(values: Sequence[Value]) -> str:
        return ", ".join(
            show(known[value]) + (" guarded" if known[value].guarded else "") for value in values if value in known
        )

    return print_op(module, note) + "\n"
