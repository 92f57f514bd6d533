"""Calls of functions declared ``@ppy.inline`` that are not expanded in place, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes.expansion import CALL_NOT_EXPANDED, NEVER_EXPANDED
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.directives import code_directives
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.ir import Operation
from ppy_compiler.lower.closure import obstacle
from ppy_compiler.lower.inlining import MOST_EXPANDED

if TYPE_CHECKING:
    from ppy_compiler.infer.results import FunctionFacts
    from ppy_compiler.lower.unit import UnitLowering


def remarks(unit: UnitLowering, path: str) -> Iterator[Diagnostic]:
    """What keeps calls of functions declared ``@ppy.inline`` from being expanded."""
    never = {sym: reason for sym, op in unit.sources.items() if (reason := _never(unit, op))}
    for sym, reason in never.items():
        source = unit.sources[sym]
        name = source.qualname
        yield NEVER_EXPANDED.at(path, source.span, subject=name, callee=f"{name}()", reason=reason)
    said: set[Operation] = set()
    for facts in (version for sym in unit.facts.functions for version in unit.facts.versions(sym)):
        for op, found in facts.calls.items():
            callee = unit.sources.get(found.name) if found.kind == "function" else None
            if callee is None or found.name in never or not code_directives(callee.directives).inline:
                continue
            if op not in said and (reason := _obstacle(unit, facts, op, found.version)):
                said.add(op)
                name = f"{callee.qualname}()"
                yield CALL_NOT_EXPANDED.at(path, op.span, subject=facts.func.qualname, callee=name, reason=reason)


def _never(unit: UnitLowering, op: Func) -> str:
    """Why no call of the function can be expanded, although it says so."""
    if op.kind != "function" or not code_directives(op.directives).inline:
        return ""
    if op.native:
        return "it runs as Python"
    if "." in op.qualname:
        return "only functions at a module's top level are called natively"
    if not all(fn.expansion.wanted for fn in unit.families[op.sym] if fn.has_fast):
        return f"it has more than {MOST_EXPANDED} operations, with those it expands itself"
    return ""


def _obstacle(unit: UnitLowering, caller: FunctionFacts, op: Operation, callee: str) -> str:
    fn, target = unit.functions.get(caller.key), unit.functions.get(callee)
    if caller.func.native:
        return "its caller runs as Python"
    if fn is None or not fn.has_fast:
        return "its caller holds no number in a register"
    if not isinstance(op, Call):
        return "it is not called by a global name"
    if target is None:
        return "it holds no number in a register"
    if target is fn or op not in fn.direct:
        return obstacle(fn, op, target)
    return ""
