"""What PPY asks of the backend: whether it can compile a unit, and to do it."""

from __future__ import annotations

from collections.abc import Iterable

from ppy_compiler.backends import Backend, BuiltUnit, Options, Unit, Workspace
from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes.plugins import HOOK_FAILED
from ppy_compiler.support.fingerprints import code_fingerprint, fingerprint

KNOWN = frozenset(("arith", "builtin", "cf", "func", "mem"))
"""The dialects whose operations it can compile."""


def create_backend() -> Backend:
    """What the entry point in pyproject.toml names."""
    return Foogen()


class Foogen(Backend):
    name = "foogen"
    formats = ("listing",)

    def fingerprint(self) -> str:
        """Everything that could change what it makes of a unit: its own files, and the versions of its tools."""
        return fingerprint(self.name, self.interface, code_fingerprint(__name__))

    def validate(self, unit: Unit) -> Iterable[Diagnostic]:
        """What of the unit it cannot compile, by operation and place."""
        for op in unit.module.walk():
            if op.name.partition(".")[0] not in KNOWN:
                problem = f"{op.name} is not known here"
                place = (unit.source_path, op.span)
                yield HOOK_FAILED.at(*place, kind="backend", name=self.name, hook="validate", error=problem)

    def emit(self, unit: Unit, format: str, options: Options) -> str:
        """For people: `ppy emit --backend foogen --stage listing FILE`."""
        lines = [f"; {unit.name} at level {options.effective_opt_level}"]
        lines += [f"{function.qualname}: {function.reason or 'native'}" for function in unit.functions]
        return "\n".join(lines) + "\n"

    def build(self, unit: Unit, workspace: Workspace, options: Options) -> BuiltUnit:
        """The unit's library in the workspace: the same bytes for the same unit and options."""
        library = workspace.folder / "unit.foogen"
        library.write_text(self.emit(unit, "listing", options), encoding="utf-8")
        return BuiltUnit(library, "foogen", unit.functions)
