"""Finding and loading backends. Nothing of a backend is imported before it is asked for by name.

A refusal is an error here, unlike with plugins: who names a backend wants that backend. Errors carry a diagnostic
(E1903 wrong interface, E1904 unknown, E1905 failed while loading).
"""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.backends.interface import INTERFACE, Backend
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.support.extensions import Extension, discover
from ppy_compiler.support.suggest import did_you_mean

GROUP = "ppy.backends"


class Backends:
    """The backends of this environment; each is loaded once, when first asked for."""

    def __init__(self, extensions: Sequence[Extension] | None = None) -> None:
        self._extensions = extensions
        self._loaded: dict[str, Backend] = {}

    @property
    def extensions(self) -> Sequence[Extension]:
        """What was discovered, ready or not."""
        if self._extensions is None:
            self._extensions = discover(GROUP)
        return self._extensions

    def verdict(self, extension: Extension) -> str:
        """Why `extension` cannot be used, or an empty string."""
        return _name_problem(extension, self.extensions) or extension.refusal(INTERFACE)

    def get(self, name: str, path: str = "") -> Backend:
        """The backend called `name`; raises DiagnosticError. `path` is the file whose build asks, for the message."""
        if name not in self._loaded:
            self._loaded[name] = _load(self._find(name, path), path)
        return self._loaded[name]

    def _find(self, name: str, path: str) -> Extension:
        matches = [extension for extension in self.extensions if extension.name == name]
        names = sorted({extension.name for extension in self.extensions})
        if not matches:
            raise DiagnosticError(
                codes.UNKNOWN_BACKEND.at(
                    path, name=name, suggestion=did_you_mean(name, names), installed=", ".join(names) or "none"
                )
            )
        extension = matches[0]
        if extension.interface_problem(INTERFACE):
            raise DiagnosticError(_wrong_interface(extension.name, extension.interface, extension.distribution, path))
        if problem := self.verdict(extension):
            raise DiagnosticError(_failed(name, "discovery", problem, path))
        return extension


def _load(extension: Extension, path: str) -> Backend:
    try:
        backend = extension.load()()
    except Exception as error:
        raise DiagnosticError(_failed(extension.name, "loading", f"{type(error).__name__}: {error}", path)) from error
    if not isinstance(backend, Backend):
        raise DiagnosticError(_failed(extension.name, "loading", f"{extension.target} made no Backend", path))
    if backend.interface != INTERFACE:
        raise DiagnosticError(_wrong_interface(extension.name, backend.interface, extension.distribution, path))
    return backend


def _name_problem(extension: Extension, all_extensions: Sequence[Extension]) -> str:
    others = [other.distribution for other in all_extensions if other.name == extension.name and other is not extension]
    return f"{', '.join(others)} registers the same name" if others else ""


def _wrong_interface(name: str, actual: object, distribution: str, path: str) -> Diagnostic:
    remedy = f"install a {distribution or name} made for interface {INTERFACE}"
    return codes.INTERFACE_VERSION.at(path, kind="backend", name=name, actual=actual, expected=INTERFACE, remedy=remedy)


def _failed(name: str, hook: str, error: str, path: str) -> Diagnostic:
    return codes.HOOK_FAILED.at(path, kind="backend", name=name, hook=hook, error=error)
