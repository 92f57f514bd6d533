"""`ppy explain FILE`: what became of every function of a program, with the reason codes and what to change."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

from ppy_compiler.backends import UnitFunction
from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import family_of, find
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.driver import stages
from ppy_compiler.driver.directives import effects
from ppy_compiler.driver.kernels import kernels
from ppy_compiler.driver.modules import MAIN
from ppy_compiler.driver.programs import ProgramBuilder
from ppy_compiler.driver.remarks import remarks_of
from ppy_compiler.driver.session import Session
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

GENERAL = family_of("R4101")
"""The family of the remarks about operations that stay general."""


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """One function: "native" without remark, "guarded" where some operations stay general, "Python" with a reason.
    `directives` say what each directive about its code did, `kernels` which operations on arrays are computed
    together."""

    function: UnitFunction
    remarks: tuple[Diagnostic, ...]
    directives: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        if not self.function.native:
            return "Python"
        general = any(family_of(remark.code) is GENERAL for remark in self.remarks)
        return "guarded" if general else "native"


@dataclass(frozen=True, slots=True)
class ModuleReport:
    module: str
    path: str
    functions: tuple[FunctionReport, ...]


def report(session: Session, source: Source) -> list[ModuleReport]:
    """Compile the program of `source` (or take it from the cache) and report on it."""
    built = ProgramBuilder(session).build(source)
    reports: list[ModuleReport] = []
    for part, text in zip(built.program.units, built.sources, strict=True):
        directives, fused = effects(session, text), kernels(session, text)
        remarks, spans = remarks_of(session, text), _same_named(part.unit.functions, text)
        functions = tuple(
            FunctionReport(
                function,
                tuple(remark for remark in remarks if _about(remark, function, spans)),
                directives.get(function.sym, ()),
                fused.get(function.sym, ()),
            )
            for function in part.unit.functions
        )
        reports.append(ModuleReport(part.module, part.source, functions))
    return reports


def _same_named(functions: tuple[UnitFunction, ...], source: Source) -> dict[str, Span]:
    """Where the functions are whose names others have, too: comprehensions, lambdas, definitions on two branches."""
    count = Counter(function.qualname for function in functions)
    syms = {function.sym for function in functions if count[function.qualname] > 1}
    if not syms:
        return {}
    module = stages.python_ir(source, MAIN, stages.compiled(source))
    found = [op for op in module.body.entry.ops if isinstance(op, Func) and op.sym in syms]
    return {op.sym: op.span for op in found if op.span is not None}


def _about(remark: Diagnostic, function: UnitFunction, spans: dict[str, Span]) -> bool:
    if remark.subject != function.qualname:
        return False
    span, place = spans.get(function.sym), remark.span
    return span is None or place is None or (span[:2] <= place[:2] and place[2:] <= span[2:])


def as_text(modules: list[ModuleReport]) -> str:
    """The report for people."""
    lines: list[str] = []
    for module in modules:
        lines.append(f"{module.module} ({os.path.relpath(module.path)})")
        for item in module.functions:
            reason = f"  {item.function.reason}: {find(item.function.reason).title}" if item.function.reason else ""
            lines.append(f"  {item.status:8} {item.function.qualname}{reason}")
            versions = (f"version {item.function.qualname}{version}" for version in item.function.versions)
            remarks = (_line(remark) for remark in item.remarks if remark.code != item.function.reason)
            lines += (f"           {text}" for text in (*versions, *item.directives, *item.kernels, *remarks))
    return "\n".join(lines) + "\n"


def _line(remark: Diagnostic) -> str:
    place = f"line {remark.span.line}: " if remark.span is not None else ""
    help = f" ({remark.help})" if remark.help else ""
    return f"{place}{remark.code} {remark.message}{help}"


def as_data(modules: list[ModuleReport]) -> dict[str, Any]:
    """The report for programs."""
    return {
        "version": 1,
        "modules": [
            {
                "module": module.module,
                "path": module.path,
                "functions": [
                    {
                        "qualname": item.function.qualname,
                        "status": item.status.lower(),
                        "reason": item.function.reason,
                        "versions": list(item.function.versions),
                        "directives": list(item.directives),
                        "kernels": list(item.kernels),
                        "remarks": [remark.to_data() for remark in item.remarks],
                    }
                    for item in module.functions
                ],
            }
            for module in modules
        ],
    }
