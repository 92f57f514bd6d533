"""Finding plugins, settling who models which module, and loading them.

Discovery reads metadata only. A plugin is loaded for a project that enables it; the interface version and the
library's version are compared before that. A library outside the bounds is a warning, since calls into it still work
as CPython makes them (W5002); a wrong interface, two claims on one module, an exception in a hook, an unknown name are
errors (E1903, E1901, E1905, E1908).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.diagnostics.codes import warnings
from ppy_compiler.plugins.asking import PluginSet, ask, failed
from ppy_compiler.plugins.interface import INTERFACE, Plugin
from ppy_compiler.support.extensions import Extension, discover
from ppy_compiler.support.suggest import did_you_mean

GROUP = "ppy.plugins"
NO_PLUGINS = PluginSet()


def load_plugins(enabled: Iterable[str], extensions: Sequence[Extension] | None = None) -> PluginSet:
    """The set of the named plugins; a name that nothing registers, or that cannot be used, raises DiagnosticError."""
    wanted = sorted(set(enabled))
    if not wanted:
        return NO_PLUGINS
    known = discover(GROUP) if extensions is None else extensions
    plugins: list[Plugin] = []
    notes: list[Diagnostic] = []
    origins: dict[str, Extension] = {}
    for name in wanted:
        extension = _find(name, known)
        if problem := extension.library_problem:
            notes.append(warnings.PLUGIN_SKIPPED.at("", name=name, reason=problem))
            continue
        plugin = _load(extension)
        origins[plugin.name] = extension
        plugins.append(plugin)
    return assemble(plugins, notes, origins)


def assemble(
    plugins: Iterable[Plugin], notes: Iterable[Diagnostic] = (), origins: dict[str, Extension] | None = None
) -> PluginSet:
    """A set of loaded plugins, or E1901 where two of them claim one module. `origins`: where they were found."""
    claims: dict[str, Plugin] = {}
    chosen = tuple(plugins)
    for plugin in chosen:
        for module in plugin.modules:
            first = claims.setdefault(module, plugin)
            if first is not plugin:
                raise DiagnosticError(
                    codes.MODULE_CLAIMED_TWICE.at("", first=first.name, second=plugin.name, module=module)
                )
    return PluginSet(chosen, tuple(notes), claims, origins or {})


def _find(name: str, known: Sequence[Extension]) -> Extension:
    matches = [extension for extension in known if extension.name == name]
    if not matches:
        names = sorted({extension.name for extension in known})
        raise DiagnosticError(
            codes.UNKNOWN_PLUGIN.at(
                "", name=name, suggestion=did_you_mean(name, names), installed=", ".join(names) or "none"
            )
        )
    if len(matches) > 1:
        owners = ", ".join(extension.distribution for extension in matches)
        raise DiagnosticError(failed(name, "discovery", f"several distributions register it: {owners}"))
    extension = matches[0]
    if extension.interface_problem(INTERFACE):
        raise DiagnosticError(_wrong_interface(extension, extension.interface))
    return extension


def _load(extension: Extension) -> Plugin:
    try:
        plugin = extension.load()()
    except Exception as error:
        raise DiagnosticError(failed(extension.name, "loading", error)) from error
    if not isinstance(plugin, Plugin):
        raise DiagnosticError(failed(extension.name, "loading", f"{extension.target} made no Plugin"))
    if plugin.interface != INTERFACE:
        raise DiagnosticError(_wrong_interface(extension, plugin.interface))
    return plugin


def _wrong_interface(extension: Extension, actual: object) -> Diagnostic:
    remedy = f"install a {extension.distribution or extension.name} made for interface {INTERFACE}"
    return codes.INTERFACE_VERSION.at(
        "", kind="plugin", name=extension.name, actual=actual, expected=INTERFACE, remedy=remedy
    )


__all__ = ["GROUP", "NO_PLUGINS", "PluginSet", "ask", "assemble", "failed", "load_plugins"]
