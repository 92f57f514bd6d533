"""What a third party runs: the kit, on what the plugin knows."""

from __future__ import annotations

from ppy_compiler.plugins import CallSite, Plugin
from ppy_compiler.plugins.testing import PluginConformance
from tiny_plugin.plugin import create_plugin


class TestTiny(PluginConformance):
    calls = (
        CallSite("tinylib.root", ("float",)),
        CallSite("tinylib.shout", ("str",)),
        CallSite("tinylib.never"),
    )
    attributes = ("tinylib.LIMIT",)

    def make_plugin(self) -> Plugin:
        return create_plugin()
