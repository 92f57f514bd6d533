"""PPY's conformance kit, on what the plugin knows. Add each call, operator and type that the model learns."""

from __future__ import annotations

from ppy_compiler.plugins import CallSite, OperationSite, Plugin
from ppy_compiler.plugins.testing import PluginConformance
from ppy_compiler.plugins.types import values_of
from ppy_plugins.foolib.plugin import POINT, create_plugin


class TestModel(PluginConformance):
    calls = (
        CallSite.of("foolib.root", "float"),
        CallSite.of("foolib.cube", "float"),
        CallSite.of("foolib.Point", "float", "float"),
        CallSite.of("foolib.show", POINT),
    )
    attributes = ("foolib.UNIT",)
    operators = (OperationSite("+", values_of([POINT, POINT])),)
    types = (POINT.refine(at="origin"), POINT.refine(at="elsewhere"))

    def make_plugin(self) -> Plugin:
        return create_plugin()
