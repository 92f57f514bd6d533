"""A backend that compiles a unit to a list of its functions. Functions called `refused_…` it cannot compile."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ppy_compiler.backends import Backend, BuiltUnit, Options, ToolStatus, Unit, Workspace
from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes.plugins import HOOK_FAILED


def create_backend() -> Backend:
    return TinyBackend()


class TinyBackend(Backend):
    name = "tiny"
    formats = ("listing",)

    def validate(self, unit: Unit) -> Iterable[Diagnostic]:
        for function in unit.functions:
            if function.qualname.startswith("refused_"):
                error = f"{function.qualname} is refused"
                yield HOOK_FAILED.at(unit.source_path, kind="backend", name=self.name, hook="validate", error=error)

    def emit(self, unit: Unit, format: str, options: Options) -> str:
        lines = [f"; {unit.name} at level {options.effective_opt_level}"]
        return "\n".join([*lines, *(function.qualname for function in unit.functions)]) + "\n"

    def build(self, unit: Unit, workspace: Workspace, options: Options) -> BuiltUnit:
        text = self.emit(unit, "listing", options)
        if "explode" in text:
            raise RuntimeError("the tiny backend exploded")
        key = unit.name.encode().hex().ljust(64, "0")[:64]
        if workspace.objects.get(key) is None:
            workspace.objects.put(key, text.encode())
        library = workspace.folder / "unit.tiny"
        library.write_text(text, encoding="utf-8")
        # The tests of artifacts need a format that the system's own loader is said to open.
        return BuiltUnit(library, os.environ.get("TINY_FORMAT", "tiny"), unit.functions)

    def toolchain(self) -> tuple[ToolStatus, ...]:
        return (ToolStatus("tweezers", False, meaning="tiny things are hard to hold"),)
