"""The conformance kit of plugins: a third party's test-suite subclasses `PluginConformance`, as ours will.

::

    class TestMine(PluginConformance):
        calls = (CallSite("foolib.root", ("float",)),)

        def make_plugin(self) -> Plugin:
            return create_plugin()

Uses nothing of pytest but the naming of its tests, so any runner that collects `test_*` methods will do.
"""

from __future__ import annotations

import ast

from ppy_compiler.plugins.interface import INTERFACE, AttributeModel, CallModel, CallSite, Plugin
from ppy_compiler.plugins.specs import FallbackSpec, LoweringSpec, RejectSpec
from ppy_compiler.support.registry import Registry


class PluginConformance:
    """What every plugin must hold. `calls` and `attributes` are some that the plugin knows."""

    calls: tuple[CallSite, ...] = ()
    attributes: tuple[str, ...] = ()

    def make_plugin(self) -> Plugin:
        raise NotImplementedError

    def test_speaks_the_interface(self) -> None:
        plugin = self.make_plugin()
        assert isinstance(plugin, Plugin)
        assert plugin.interface == INTERFACE
        assert plugin.name.isidentifier(), "the name is what users write in [tool.ppy.plugins.NAME]"

    def test_claims_top_level_modules(self) -> None:
        modules = self.make_plugin().modules
        assert modules
        assert all(module.isidentifier() for module in modules)
        assert len(set(modules)) == len(modules)

    def test_fingerprint_is_stable_text(self) -> None:
        first, second = self.make_plugin().fingerprint(), self.make_plugin().fingerprint()
        assert isinstance(first, str)
        assert first == second != ""

    def test_knows_its_calls(self) -> None:
        plugin = self.make_plugin()
        for site in self.calls:
            model = plugin.call(site)
            assert isinstance(model, CallModel), f"{site.function} is not known"
            check_type(model.returns)
            check_lowering(model)

    def test_knows_its_attributes(self) -> None:
        plugin = self.make_plugin()
        for name in self.attributes:
            model = plugin.attribute_type(name)
            assert isinstance(model, AttributeModel), f"{name} is not known"
            check_type(model.type)

    def test_leaves_the_unknown_alone(self) -> None:
        plugin = self.make_plugin()
        for module in plugin.modules:
            assert plugin.call(CallSite(f"{module}.no_such_function_of_the_kit")) is None
            assert plugin.attribute_type(f"{module}.no_such_attribute_of_the_kit") is None

    def test_registers_only_its_own(self) -> None:
        plugin = self.make_plugin()
        for hook in (plugin.register_dialects, plugin.register_passes):
            registry: Registry[object] = Registry("entry")
            hook(registry)
            for name in registry:
                assert registry.get(name) is not None


def check_type(text: str) -> None:
    """A type is the text of an annotation."""
    ast.parse(text, mode="eval")


def check_lowering(model: CallModel) -> None:
    """A spec must say what a reader needs."""
    spec: LoweringSpec | None = model.lowering
    if isinstance(spec, FallbackSpec | RejectSpec):
        assert spec.reason, "say why"
