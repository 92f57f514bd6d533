"""The hooks through which PPY asks about foolib. Whatever a hook does not know, CPython does."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from ppy_compiler.plugins import (
    PURE,
    AttributeModel,
    CallModel,
    CallSite,
    DialectOperationSpec,
    Effects,
    ExternalType,
    FallbackSpec,
    IntrinsicSpec,
    OperationSite,
    Plugin,
)
from ppy_compiler.support.registry import Registry

POINT = ExternalType("foolib.Point")
"""An instance of exactly that class; `POINT.refine(key=value)` says more of one."""


def create_plugin() -> Plugin:
    """What the entry point in pyproject.toml names."""
    return Model()


class Model(Plugin):
    name = "foolib"
    modules = ("foolib",)

    def external_types(self) -> Mapping[str, ExternalType]:
        """The classes that annotations may name."""
        return {"foolib.Point": POINT}

    def attribute_type(self, name: str) -> AttributeModel | None:
        """Values in the library's modules."""
        return AttributeModel("float") if name == "foolib.UNIT" else None

    def call(self, site: CallSite) -> CallModel | None:
        """Calls, by dotted name and the types of the arguments."""
        match site.function, site.types:
            case "foolib.root", ("float",):
                return CallModel("float", PURE, IntrinsicSpec("math.sqrt"))
            case "foolib.cube", ("float",):
                return CallModel("float", PURE, DialectOperationSpec("foolib.cube", ("double",), "double"))
            case "foolib.Point", ("float", "float"):
                return CallModel(POINT, Effects(writes=False))
            case "foolib.show", _:
                return CallModel("None", lowering=FallbackSpec("it writes to standard output"))
        return None

    def operator(self, site: OperationSite) -> CallModel | None:
        """Operators with an instance of the library's classes among their operands."""
        return CallModel(POINT, Effects(writes=False)) if site.types == ("foolib.Point", "foolib.Point") else None

    def instance_attribute(self, type: ExternalType, name: str) -> AttributeModel | None:
        """Attributes of instances."""
        return AttributeModel("float") if name in ("x", "y") else None

    def register_dialects(self, registry: Registry[Any]) -> None:
        registry.register("foolib", lambda: importlib.import_module("ppy_plugins.foolib.dialect"))

    def register_lowerings(self, registry: Registry[Any]) -> None:
        registry.register("foolib.cube", lambda: importlib.import_module("ppy_plugins.foolib.dialect").lower_cube)
