"""Finding plugins, settling who models which module, and asking them.

Discovery reads metadata only. A plugin is loaded for a project that enables it; the interface version and the
library's version are compared before that. A library outside the bounds is a warning, since calls into it still work
as CPython makes them (W5002); a wrong interface, two claims on one module, an exception in a hook are errors
(E1903, E1901, E1905). Inference asks `PluginSet.call` and `.attribute_type`; both answer None for what nobody models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.diagnostics.codes import warnings
from ppy_compiler.plugins.interface import INTERFACE, AttributeModel, CallModel, CallSite, Plugin
from ppy_compiler.support.extensions import Extension, discover

GROUP = "ppy.plugins"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PluginSet:
    """The plugins of one project, each module claimed by at most one."""

    plugins: tuple[Plugin, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    _claims: dict[str, Plugin] = field(default_factory=dict)

    def claiming(self, module: str) -> Plugin | None:
        """The plugin that models `module` (or the package it is in)."""
        return self._claims.get(module.partition(".")[0])

    def call(self, site: CallSite) -> CallModel | None:
        plugin = self.claiming(site.function)
        return None if plugin is None else ask(plugin, "call", lambda: plugin.call(site))

    def attribute_type(self, name: str) -> AttributeModel | None:
        plugin = self.claiming(name)
        return None if plugin is None else ask(plugin, "attribute_type", lambda: plugin.attribute_type(name))

    def instance_attribute(self, type: str, name: str) -> AttributeModel | None:
        plugin = self.claiming(type)
        if plugin is None:
            return None
        return ask(plugin, "instance_attribute", lambda: plugin.instance_attribute(type, name))

    def fingerprints(self, imported: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Name and fingerprint of each plugin whose library is among the imported modules; the others cost nothing."""
        used = {plugin.name: plugin for module in imported if (plugin := self.claiming(module)) is not None}
        return tuple((name, ask(plugin, "fingerprint", plugin.fingerprint)) for name, plugin in sorted(used.items()))


NO_PLUGINS = PluginSet()


def ask(plugin: Plugin, hook: str, question: Callable[[], T]) -> T:
    """The answer of a hook; an exception in it becomes E1905 with the plugin's name."""
    try:
        return question()
    except Exception as error:
        raise DiagnosticError(failed(plugin.name, hook, error)) from error


def failed(name: str, hook: str, error: Exception | str) -> Diagnostic:
    text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    return codes.HOOK_FAILED.at("", kind="plugin", name=name, hook=hook, error=text)


def load_plugins(enabled: Iterable[str], extensions: Sequence[Extension] | None = None) -> PluginSet:
    """The set of the named plugins; a name that nothing registers, or that cannot be used, raises DiagnosticError."""
    wanted = sorted(set(enabled))
    if not wanted:
        return NO_PLUGINS
    known = discover(GROUP) if extensions is None else extensions
    plugins: list[Plugin] = []
    notes: list[Diagnostic] = []
    for name in wanted:
        extension = _find(name, known)
        if problem := extension.library_problem:
            notes.append(warnings.PLUGIN_SKIPPED.at("", name=name, reason=problem))
        else:
            plugins.append(_load(extension))
    return assemble(plugins, notes)


def assemble(plugins: Iterable[Plugin], notes: Iterable[Diagnostic] = ()) -> PluginSet:
    """A set of loaded plugins, or E1901 where two of them claim one module."""
    claims: dict[str, Plugin] = {}
    chosen = tuple(plugins)
    for plugin in chosen:
        for module in plugin.modules:
            first = claims.setdefault(module, plugin)
            if first is not plugin:
                raise DiagnosticError(
                    codes.MODULE_CLAIMED_TWICE.at("", first=first.name, second=plugin.name, module=module)
                )
    return PluginSet(chosen, tuple(notes), claims)


def _find(name: str, known: Sequence[Extension]) -> Extension:
    matches = [extension for extension in known if extension.name == name]
    if not matches:
        raise DiagnosticError(failed(name, "discovery", "no installed distribution registers it"))
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
