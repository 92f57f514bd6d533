"""`ppy explain FILE`: what became of every function of a program, with the reason codes and what to change."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ppy_compiler.backends import UnitFunction
from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import family_of, find
from ppy_compiler.driver.directives import effects
from ppy_compiler.driver.kernels import kernels
from ppy_compiler.driver.programs import ProgramBuilder
from ppy_compiler.driver.remarks import remarks_of
from ppy_compiler.driver.session import Session
from ppy_compiler.support.source import Source

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
        remarks = remarks_of(session, text)
        functions = tuple(
            FunctionReport(
                function,
                tuple(remark for remark in remarks if remark.subject == function.qualname),
                directives.get(function.sym, ()),
                fused.get(function.sym, ()),
            )
            for function in part.unit.functions
        )
        reports.append(ModuleReport(part.module, part.source, functions))
    return reports


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
