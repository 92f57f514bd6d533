"""The conformance kit of plugins: a third party's test-suite subclasses `PluginConformance`, as ours do.

::

    class TestMine(PluginConformance):
        calls = (CallSite.of("foolib.root", "float"),)
        attributes = ("foolib.LIMIT",)
        types = (VECTOR, VECTOR.refine(size=3), VECTOR.refine(size=4))

        def make_plugin(self) -> Plugin:
            return create_plugin()

Uses nothing of pytest but the naming of its tests, so any runner that collects `test_*` methods will do.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ppy_compiler import dialects
from ppy_compiler.plugins.asking import PluginSet
from ppy_compiler.plugins.interface import INTERFACE, AttributeModel, CallModel, CallSite, OperationSite, Plugin
from ppy_compiler.plugins.specs import FallbackSpec, LoweringSpec, RejectSpec
from ppy_compiler.plugins.types import ExternalType, Type
from ppy_compiler.support.fingerprints import fingerprint
from ppy_compiler.support.registry import Registry

LONGEST_CHAIN = 64
"""How often a type may change while others are joined to it."""


class PluginConformance:
    """What every plugin must hold. The fields are some of what the plugin knows; `types` should differ in every way in
    which its types can."""

    calls: tuple[CallSite, ...] = ()
    attributes: tuple[str, ...] = ()
    operators: tuple[OperationSite, ...] = ()
    subscripts: tuple[OperationSite, ...] = ()
    types: tuple[ExternalType, ...] = ()

    def make_plugin(self) -> Plugin:
        raise NotImplementedError

    def make_set(self) -> PluginSet:
        """The plugin as the compiler asks it, with its dialects known."""
        plugin = self.make_plugin()
        registry: Registry[object] = Registry("dialect")
        plugin.register_dialects(registry)
        for name in registry:
            dialects.DIALECTS.setdefault(name, getattr(registry.get(name), "__name__", ""))
        return PluginSet((plugin,), claims=dict.fromkeys(plugin.modules, plugin))

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
        plugins = self.make_set()
        for site in self.calls:
            found = plugins.call(site)
            assert found is not None, f"{site.function} is not known"
            check_model(found[1])

    def test_knows_its_operators(self) -> None:
        plugins = self.make_set()
        for hook, sites in (("operator", self.operators), ("subscript", self.subscripts)):
            for site in sites:
                model = plugins.operation(hook, site)
                assert model is not None, f"{site.kind} of {site.types} is not known"
                check_model(model)

    def test_knows_its_attributes(self) -> None:
        plugins = self.make_set()
        for name in self.attributes:
            model = plugins.attribute_type(name)
            assert isinstance(model, AttributeModel), f"{name} is not known"
            check_type(model.type)

    def test_leaves_the_unknown_alone(self) -> None:
        plugin = self.make_plugin()
        for module in plugin.modules:
            assert plugin.call(CallSite(f"{module}.no_such_function_of_the_kit")) is None
            assert plugin.attribute_type(f"{module}.no_such_attribute_of_the_kit") is None
            assert plugin.decorator_semantics(f"{module}.no_such_decorator_of_the_kit") is None
        for type in self._types(plugin):
            assert plugin.instance_attribute(type, "no_such_attribute_of_the_kit") is None

    def test_its_types_are_its_own(self) -> None:
        for name, type in self.make_set().external_types.items():
            assert isinstance(type, ExternalType)
            assert name.count("."), "types are named as the library spells them"

    def test_joins_are_least_upper_bounds(self) -> None:
        """In any order the same, of a type with itself that type, and more than either."""
        for a, b, c in itertools.product(self._types(self.make_plugin()), repeat=3):
            if a.name == b.name == c.name:
                joined = a.join(b)
                assert joined.name == a.name
                assert a.join(a) == a
                assert joined == b.join(a)
                assert joined.join(c) == a.join(b.join(c))
                assert joined.join(a) == joined

    def test_widening_covers_and_ends(self) -> None:
        types = self._types(self.make_plugin())
        for a, b in itertools.permutations(types, 2):
            if a.name == b.name:
                wide = a.widen(a.join(b))
                assert wide.join(a) == wide, f"{wide} says more than {a}"
                assert wide.join(b) == wide, f"{wide} says more than {b}"
        for start in types:
            found, changes = start, 0
            for other in itertools.islice(itertools.cycle(t for t in types if t.name == start.name), 4 * LONGEST_CHAIN):
                after = found.widen(found.join(other))
                changes += after != found
                found = after
            assert changes < LONGEST_CHAIN, f"{start} does not come to rest"

    def test_types_are_plain_data(self) -> None:
        for type in self._types(self.make_plugin()):
            assert hash(type) == hash(type.refine())
            assert fingerprint(type.refinements)
            assert str(type).startswith(type.name)
            assert " at 0x" not in repr(type), "its text enters cache keys"

    def test_registers_only_its_own(self) -> None:
        plugin = self.make_plugin()
        hooks = (plugin.register_dialects, plugin.register_passes, plugin.register_patterns, plugin.register_lowerings)
        for hook in hooks:
            registry: Registry[object] = Registry("entry")
            hook(registry)  # type: ignore[arg-type]
            for name in registry:
                assert registry.get(name) is not None

    def test_lowers_operations_that_exist(self) -> None:
        for name in self.make_set().lowerings:
            assert dialects.op_class(name).name == name

    def _types(self, plugin: Plugin) -> tuple[ExternalType, ...]:
        return (*plugin.external_types().values(), *self.types)


def check_model(model: CallModel) -> None:
    check_type(model.returns)
    check_lowering(model.lowering)


def check_type(type: Type) -> None:
    """Text is an annotation."""
    for text in _texts(type):
        ast.parse(text, mode="eval")


def _texts(type: Type) -> Iterator[str]:
    match type:
        case str():
            yield type
        case tuple():
            for part in type:
                yield from _texts(part)


def check_lowering(spec: LoweringSpec | None) -> None:
    """A spec must say what a reader needs."""
    if isinstance(spec, FallbackSpec | RejectSpec):
        assert spec.reason, "say why"
