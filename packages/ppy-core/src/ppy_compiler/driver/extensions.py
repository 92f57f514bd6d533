"""What plugins and backends bring to the IR: dialects, and passes under the eyes of the verifier.

A plugin's passes run over Python IR after the structural ones, a backend's over native IR before it validates; each in
the order of registration. A pass that raises, or leaves IR that is not well formed, is E1902 with its owner's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ppy_compiler import dialects
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.passes import BrokenPass, Pass
from ppy_compiler.passes.manager import run_pass
from ppy_compiler.plugins.registry import ask, failed
from ppy_compiler.support.registry import Registry

if TYPE_CHECKING:
    from ppy_compiler.backends import Backend
    from ppy_compiler.ir import Operation
    from ppy_compiler.plugins import Plugin


def add_dialects(plugins: Iterable[Plugin]) -> None:
    """Make the dialects of plugins known by name; one that is taken is E1905 naming who took it."""
    for plugin in plugins:
        registry: Registry[Any] = Registry("dialect")
        ask(plugin, "register_dialects", _registering(plugin.register_dialects, registry))
        for name in registry:
            module = registry.get(name)
            known = dialects.DIALECTS.setdefault(name, module.__name__)
            if known != module.__name__:
                problem = f"the dialect {name!r} is {known}'s already"
                raise DiagnosticError(failed(plugin.name, "register_dialects", problem))


def run_plugin_passes(module: Operation, plugins: Iterable[Plugin]) -> None:
    """Run every plugin's passes over a module in Python IR."""
    for plugin in plugins:
        registry: Registry[Any] = Registry("pass")
        ask(plugin, "register_passes", _registering(plugin.register_passes, registry))
        _run_all(registry, module, plugin.name)


def run_backend_passes(module: Operation, backend: Backend) -> None:
    """Run a backend's passes over a unit in native IR."""
    registry: Registry[Any] = Registry("pass")
    try:
        backend.register_passes(registry)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        raise DiagnosticError(
            codes.HOOK_FAILED.at("", kind="backend", name=backend.name, hook="register_passes", error=text)
        ) from error
    _run_all(registry, module, backend.name)


def _registering(hook: Callable[[Registry[Any]], None], registry: Registry[Any]) -> Callable[[], None]:
    return lambda: hook(registry)


def _run_all(registry: Registry[Any], module: Operation, owner: str) -> None:
    for name in registry:
        found = registry.get(name)
        one = found if isinstance(found, Pass) else Pass(name, found, "")
        try:
            run_pass(one, module)
        except BrokenPass as broken:
            raise DiagnosticError(
                codes.INVALID_AFTER_PASS.at("", pass_name=name, owner=owner, problem=broken.problem)
            ) from broken
