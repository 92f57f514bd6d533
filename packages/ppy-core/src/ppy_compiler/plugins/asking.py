"""Asking the plugins of a project: each question goes to the plugin that claims the library, and to no other.

Answers are checked here: a hook that raises, or answers with something that its interface does not have, is E1905; a
lowering that cannot be followed is E1906 or E1907. `None` is the answer for what nobody models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.ir.rewrite import Pattern
from ppy_compiler.plugins.checks import Fault, checker
from ppy_compiler.plugins.interface import (
    AttributeModel,
    CallModel,
    CallSite,
    DecoratorModel,
    OperationSite,
    Plugin,
)
from ppy_compiler.plugins.specs import LoweringSpec
from ppy_compiler.plugins.types import ExternalType
from ppy_compiler.support.extensions import Extension
from ppy_compiler.support.fingerprints import fingerprint
from ppy_compiler.support.registry import Registry

T = TypeVar("T")


@dataclass(frozen=True)
class PluginSet:
    """The plugins of one project, each module claimed by at most one."""

    plugins: tuple[Plugin, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    claims: Mapping[str, Plugin] = field(default_factory=dict)
    origins: Mapping[str, Extension] = field(default_factory=dict)

    def claiming(self, module: str) -> Plugin | None:
        """The plugin that models `module` (or the package it is in)."""
        return self.claims.get(module.partition(".")[0])

    def without(self, modules: Iterable[str]) -> PluginSet:
        """The set for a program whose own these top-level modules are."""
        left = {module: plugin for module, plugin in self.claims.items() if module not in set(modules)}
        return self if len(left) == len(self.claims) else replace(self, claims=left)

    def alias(self, name: str) -> str | None:
        """The name under which calls of a library's function are asked about; None: an ordinary attribute."""
        plugin = self.claiming(name)
        return None if plugin is None else ask(plugin, "call_alias", lambda: plugin.call_alias(name), str)

    def call(self, site: CallSite) -> tuple[CallSite, CallModel] | None:
        """The call as its plugin sees it, and the model of it."""
        plugin = self.claiming(site.function)
        if plugin is None:
            return None
        adjusted = ask(plugin, "adjust_call", lambda: plugin.adjust_call(site), CallSite) or site
        if adjusted is not site:
            _check_positions(plugin, site, adjusted)
        model = ask(plugin, "call", lambda: plugin.call(adjusted), CallModel)
        if model is None:
            return None
        self._check(plugin, site.function, model.lowering)
        return adjusted, model

    def operation(self, hook: str, site: OperationSite) -> CallModel | None:
        """The model of an operator or a subscript (`hook`), from the first plugin that knows one of its operands."""
        asked: set[str] = set()
        for operand in site.operands:
            plugin = self.claiming(operand.external.name) if operand.external is not None else None
            if plugin is None or plugin.name in asked:
                continue
            asked.add(plugin.name)
            model: CallModel | None = ask(plugin, hook, partial(getattr(plugin, hook), site), CallModel)
            if model is not None:
                self._check(plugin, site.kind, model.lowering)
                return model
        return None

    def attribute_type(self, name: str) -> AttributeModel | None:
        plugin = self.claiming(name)
        if plugin is None:
            return None
        return ask(plugin, "attribute_type", lambda: plugin.attribute_type(name), AttributeModel)

    def instance_attribute(self, type: ExternalType, name: str) -> AttributeModel | None:
        plugin = self.claiming(type.name)
        if plugin is None:
            return None
        model = ask(plugin, "instance_attribute", lambda: plugin.instance_attribute(type, name), AttributeModel)
        if model is not None:
            self._check(plugin, f"{type.name}.{name}", model.lowering)
        return model

    def decorator(self, name: str) -> DecoratorModel | None:
        plugin = self.claiming(name)
        if plugin is None:
            return None
        return ask(plugin, "decorator_semantics", lambda: plugin.decorator_semantics(name), DecoratorModel)

    @cached_property
    def external_types(self) -> Mapping[str, ExternalType]:
        """The types that annotations can name, of all plugins."""
        found: dict[str, ExternalType] = {}
        for plugin in self.plugins:
            for name, type in (ask(plugin, "external_types", plugin.external_types) or {}).items():
                if not isinstance(type, ExternalType) or name.partition(".")[0] not in plugin.modules:
                    problem = f"it answered {type!r} for {name!r}"
                    raise DiagnosticError(failed(plugin.name, "external_types", problem))
                if self.claiming(name) is plugin:
                    found[name] = type
        return found

    @cached_property
    def lowerings(self) -> Mapping[str, tuple[Plugin, Callable[[], Pattern]]]:
        """By the name of a dialect's operation: who lowers it, and how to get at that."""
        found: dict[str, tuple[Plugin, Callable[[], Pattern]]] = {}
        for plugin in self.plugins:
            registry: Registry[Pattern] = Registry("lowering")
            ask(plugin, "register_lowerings", lambda: plugin.register_lowerings(registry))  # noqa: B023
            for name in registry:
                first = found.setdefault(name, (plugin, lambda r=registry, n=name: r.get(n)))  # type: ignore[misc]
                if first[0] is not plugin:
                    raise DiagnosticError(
                        failed(plugin.name, "register_lowerings", f"{first[0].name} lowers {name!r} already")
                    )
        return found

    @cached_property
    def _fault_of(self) -> Callable[[LoweringSpec], Fault | None]:
        return checker(self.lowerings)

    def _check(self, plugin: Plugin, function: str, spec: LoweringSpec | None) -> None:
        fault = None if spec is None else self._fault_of(spec)
        if fault is not None:
            code, fields = fault
            raise DiagnosticError(code.at("", plugin=plugin.name, function=function, **fields))

    def fingerprints(self, imported: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Name and fingerprint of each plugin whose library is among the imported modules; the others cost nothing."""
        used = {plugin.name: plugin for module in imported if (plugin := self.claiming(module)) is not None}
        return tuple((name, self._fingerprint(plugin)) for name, plugin in sorted(used.items()))

    def _fingerprint(self, plugin: Plugin) -> str:
        own = ask(plugin, "fingerprint", plugin.fingerprint, str)
        origin = self.origins.get(plugin.name)
        if origin is None:
            return fingerprint(own)
        return fingerprint(own, origin.distribution, origin.version, origin.libraries)


def ask(plugin: Plugin, hook: str, question: Callable[[], T], kind: type[Any] | None = None) -> T:
    """The answer of a hook, None or a `kind`; an exception in it becomes E1905 with the plugin's name."""
    try:
        answer = question()
    except Exception as error:
        raise DiagnosticError(failed(plugin.name, hook, error)) from error
    if kind is not None and answer is not None and not isinstance(answer, kind):
        raise DiagnosticError(failed(plugin.name, hook, f"it answered {answer!r}, which is no {kind.__name__}"))
    return answer


def _check_positions(plugin: Plugin, site: CallSite, adjusted: CallSite) -> None:
    """An adjusted call is of the arguments that were given, each at most once, and of defaults, which are constants."""
    given = set(range(len(site.arguments) + len(site.keywords)))
    values = (*adjusted.arguments, *dict(adjusted.keywords).values())
    places = [value.position for value in values if value.position is not None]
    if len(set(places)) < len(places) or not given.issuperset(places):
        problem = f"it took the arguments {places} of a call that has {len(given)}"
        raise DiagnosticError(failed(plugin.name, "adjust_call", problem))
    if any(value.position is None and not value.known for value in values):
        raise DiagnosticError(failed(plugin.name, "adjust_call", "it added a default that is no constant"))


def failed(name: str, hook: str, error: Exception | str) -> Diagnostic:
    text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    return codes.HOOK_FAILED.at("", kind="plugin", name=name, hook=hook, error=text)
