"""What a third party runs: the kit, on what the plugin knows."""

from __future__ import annotations

from ppy_compiler.plugins import CallSite, OperationSite, Plugin, Value
from ppy_compiler.plugins.testing import PluginConformance
from tiny_plugin.plugin import VECTOR, create_plugin


class TestTiny(PluginConformance):
    calls = (
        CallSite.of("tinylib.root", "float"),
        CallSite.of("tinylib.shout", "str"),
        CallSite("tinylib.never"),
    )
    attributes = ("tinylib.LIMIT",)
    operators = (OperationSite("<<", (Value.of(VECTOR, 0), Value.of(VECTOR, 1))),)
    subscripts = (OperationSite("[]", (Value.of(VECTOR, 0), Value.of("int", 1))),)
    types = (VECTOR.refine(made="here"), VECTOR.refine(shape=(2, 3)), VECTOR.refine(shape=(2, 4), made="here"))

    def make_plugin(self) -> Plugin:
        return create_plugin()
