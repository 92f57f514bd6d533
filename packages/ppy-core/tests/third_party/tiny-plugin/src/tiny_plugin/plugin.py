"""A plugin that models `tinylib`: types and effects of its calls, an attribute, a dialect, a pass."""

from __future__ import annotations

import importlib
import os
from typing import Any

from ppy_compiler.ir import Operation
from ppy_compiler.passes import Pass
from ppy_compiler.plugins import (
    PURE,
    AttributeModel,
    CallModel,
    CallSite,
    Effects,
    FallbackSpec,
    IntrinsicSpec,
    Plugin,
    RejectSpec,
)
from ppy_compiler.support.registry import Registry


def create_plugin() -> Plugin:
    return TinyPlugin()


class TinyPlugin(Plugin):
    name = "tiny"
    modules = ("tinylib",)

    def call(self, site: CallSite) -> CallModel | None:
        match site.function, site.arguments:
            case "tinylib.root", ("int" | "float",):
                return CallModel("float", PURE, IntrinsicSpec("math.sqrt"))
            case "tinylib.shout", _:
                return CallModel("str", Effects(runs_code=False), FallbackSpec("it writes to standard output"))
            case "tinylib.never", _:
                return CallModel("Never", lowering=RejectSpec("`tinylib.never` always raises RuntimeError"))
        return None

    def attribute_type(self, name: str) -> AttributeModel | None:
        return AttributeModel("float") if name == "tinylib.LIMIT" else None

    def register_dialects(self, registry: Registry[Any]) -> None:
        registry.register("tiny", lambda: importlib.import_module("tiny_plugin.dialect"))

    def register_passes(self, registry: Registry[Any]) -> None:
        registry.register("annotate", lambda: Pass("annotate", annotate, "marks every module it saw"))
        if os.environ.get("TINY_PASS") == "broken":
            registry.register("break", lambda: Pass("break", remove_terminators, "leaves invalid IR"))


def annotate(module: Operation) -> None:
    """Names the first value of the module, so that its text shows who was here."""
    first = next(op for op in module.regions[0].blocks[0].ops[0].regions[0].blocks[0].ops if op.results)
    first.results[0].hint = "seen_by_tiny"


def remove_terminators(module: Operation) -> None:
    for function in module.regions[0].blocks[0].ops:
        for block in function.regions[0].blocks:
            block.ops[-1].detach()
