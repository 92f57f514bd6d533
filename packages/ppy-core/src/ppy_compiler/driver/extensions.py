"""What plugins and backends bring to the IR: dialects, and passes under the eyes of the verifier.

A plugin's passes run over Python IR after the structural ones, a backend's over native IR before it validates; each in
the order of registration. A pass that raises, or leaves IR that is not well formed, is E1902 with its owner's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ppy_compiler import dialects
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.driver.modules import imports_of
from ppy_compiler.ir.rewrite import Pattern, Patterns, apply_patterns
from ppy_compiler.passes import BrokenPass, Pass
from ppy_compiler.passes.manager import run_pass
from ppy_compiler.plugins.asking import PluginSet, ask, failed
from ppy_compiler.support.registry import Registry

NATIVE_DIALECTS = frozenset(("arith", "builtin", "cf", "func", "mem"))
"""Those that backends know."""

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


def run_plugin_passes(module: Operation, plugins: PluginSet) -> None:
    """Run over a module in Python IR the passes of the plugins whose library it imports: only they are in its keys."""
    imported = [plugins.claiming(item.module) for item in imports_of(module) if item.level == 0]
    for plugin in (plugin for plugin in plugins.plugins if plugin in imported):
        registry: Registry[Any] = Registry("pass")
        ask(plugin, "register_passes", _registering(plugin.register_passes, registry))
        _run_all(registry, module, plugin.name)


def lower_dialects(module: Operation, plugins: PluginSet) -> None:
    """Native IR without operations of plugins' dialects: their patterns, then what each operation becomes. One that is
    left over is E1902 with the name of whoever brings its lowering."""
    if next(_foreign(module), None) is None:
        return
    for plugin in plugins.plugins:
        registry: Registry[Patterns] = Registry("pattern set")
        ask(plugin, "register_patterns", _registering(plugin.register_patterns, registry))
        for name in registry:
            _run(_applying(name, registry.get(name), plugin.name), module)
    table: dict[type[Operation], list[Pattern]] = {}
    for name, (_, load) in plugins.lowerings.items():
        table[dialects.op_class(name)] = [load()]
    owner = ", ".join(sorted({plugin.name for plugin, _ in plugins.lowerings.values()}))
    _run(_applying("lowerings", table, owner), module)
    left = next(_foreign(module), None)
    if left is not None:
        problem = f"{left.name} is left"
        raise DiagnosticError(codes.INVALID_AFTER_PASS.at("", pass_name="lowerings", owner=owner, problem=problem))


def _foreign(module: Operation) -> Iterator[Operation]:
    """Operations that backends do not know."""
    return (op for op in module.walk() if op.name.partition(".")[0] not in NATIVE_DIALECTS)


def _applying(name: str, patterns: Patterns, owner: str) -> Pass:
    return Pass(name, lambda module: apply_patterns(module, patterns, remove_dead=False), "", owner=owner)


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
        _run(replace(one, owner=owner), module)


def _run(one: Pass, module: Operation) -> None:
    try:
        run_pass(one, module)
    except BrokenPass as broken:
        raise DiagnosticError(
            codes.INVALID_AFTER_PASS.at("", pass_name=one.name, owner=one.owner, problem=broken.problem)
        ) from broken
