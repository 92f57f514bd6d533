"""A plugin that models `tinylib`: types and effects of its names, a class, a dialect, a pass."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ppy_compiler.ir import Operation
from ppy_compiler.passes import Pass
from ppy_compiler.plugins import (
    PURE,
    AttributeModel,
    CallModel,
    CallSite,
    DecoratorModel,
    DialectOperationSpec,
    DirectCallSpec,
    Effects,
    ExternalType,
    FallbackSpec,
    IntrinsicSpec,
    OperationSite,
    Plugin,
    RejectSpec,
    Value,
)
from ppy_compiler.support.registry import Registry

VECTOR = ExternalType("tinylib.Vector")
POWER = "tiny.power"


def create_plugin() -> Plugin:
    return TinyPlugin()


class TinyPlugin(Plugin):
    name = "tiny"
    modules = ("tinylib",)

    def external_types(self) -> Mapping[str, ExternalType]:
        return {"tinylib.Vector": VECTOR}

    def call_alias(self, name: str) -> str | None:
        if name == "tinylib.lazy":
            return None
        return {"tinylib.square_root": "tinylib.root"}.get(name, name)

    def attribute_type(self, name: str) -> AttributeModel | None:
        return AttributeModel("float") if name == "tinylib.LIMIT" else None

    def adjust_call(self, site: CallSite) -> CallSite:
        """`quotient(a, b=2.0)` with both arguments in their places."""
        if site.function != "tinylib.quotient":
            return site
        given = dict(site.keywords)
        places = list(site.arguments)
        for name, default in (("a", None), ("b", Value("float", constant=2.0)))[len(places) :]:
            value = given.pop(name, default)
            if value is None:
                return site
            places.append(value)
        return replace(site, arguments=tuple(places), keywords=tuple(given.items()))

    def call(self, site: CallSite) -> CallModel | None:
        if os.environ.get("TINY_SPEC") and site.function == "tinylib.cube":
            return CallModel("float", PURE, WRONG[os.environ["TINY_SPEC"]])
        match site.function, site.types:
            case "tinylib.root", ("int" | "float",):
                return CallModel("float", PURE, IntrinsicSpec("math.sqrt"))
            case "tinylib.cube", ("float",):
                return CallModel("float", PURE, DialectOperationSpec(POWER, ("double",), "double", (("exponent", 3),)))
            case "tinylib.quotient", ("float", "float"):
                spec = DialectOperationSpec("tiny.quotient", ("double", "double"), "double", declines=True)
                return CallModel("float", PURE, spec)
            case "tinylib.scaled", ("int", "int"):
                spec = DirectCallSpec("tinylib/_tiny.so", "tiny_scaled", ("int64_t", "int32_t"), "int64_t")
                return CallModel("int", PURE, spec)
            case "tinylib.pick", ("bool", _, _):
                return CallModel(
                    "object", PURE, DialectOperationSpec("tiny.pick", ("bool", "object", "object"), "object")
                )
            case "tinylib.shout", _:
                return CallModel("str", Effects(runs_code=False), FallbackSpec("it writes to standard output"))
            case "tinylib.never", _:
                return CallModel("Never", lowering=RejectSpec("`tinylib.never` always raises RuntimeError"))
            case "tinylib.Vector", _:
                return CallModel(VECTOR.refine(made="here"), Effects(writes=False))
            case "tinylib.Vector.norm", _:
                return CallModel("float", PURE, FallbackSpec("it is Python"))
        return None

    def operator(self, site: OperationSite) -> CallModel | None:
        match site.kind, site.types:
            case "+", (_, "tinylib.Vector"):
                return CallModel(VECTOR, Effects(writes=False))
            case "<<", ("tinylib.Vector", "tinylib.Vector"):
                return CallModel("bool", PURE, DialectOperationSpec("tiny.same", ("object", "object"), "bool"))
        return None

    def subscript(self, site: OperationSite) -> CallModel | None:
        return CallModel("float", Effects(writes=False)) if site.kind == "[]" else None

    def instance_attribute(self, type: ExternalType, name: str) -> AttributeModel | None:
        return {"x": AttributeModel("float"), "y": AttributeModel("float"), "dimensions": AttributeModel("int")}.get(
            name
        )

    def decorator_semantics(self, name: str) -> DecoratorModel | None:
        return DecoratorModel(returns_function=True) if name == "tinylib.traced" else None

    def register_dialects(self, registry: Registry[Any]) -> None:
        registry.register("tiny", lambda: importlib.import_module("tiny_plugin.dialect"))

    def register_passes(self, registry: Registry[Any]) -> None:
        registry.register("annotate", lambda: Pass("annotate", annotate, "marks every module it saw"))
        if os.environ.get("TINY_PASS") == "broken":
            registry.register("break", lambda: Pass("break", remove_terminators, "leaves invalid IR"))

    def register_patterns(self, registry: Registry[Any]) -> None:
        from tiny_plugin import dialect

        registry.register("constants", lambda: {dialect.Power: [dialect.square_of_constant]})

    def register_lowerings(self, registry: Registry[Any]) -> None:
        for name in ("power", "quotient", "same", "pick"):
            registry.register(f"tiny.{name}", _lowering(name))
        if os.environ.get("TINY_SPEC") == "left":
            registry.register("tiny.left", lambda: lambda op, rewriter: False)


def _lowering(name: str) -> Callable[[], Any]:
    return lambda: getattr(importlib.import_module("tiny_plugin.dialect"), f"lower_{name}")


WRONG = {
    "intrinsic": IntrinsicSpec("math.sqart"),
    "dialect": DialectOperationSpec("tinny.power", ("double",), "double"),
    "operation": DialectOperationSpec("tiny.powr", ("double",), "double"),
    "operands": DialectOperationSpec(POWER, ("double", "double"), "double"),
    "results": DialectOperationSpec(POWER, ("double",), "double", declines=True),
    "attribute": DialectOperationSpec(POWER, ("double",), "double", (("exponnt", 3),)),
    "type": DialectOperationSpec(POWER, ("float",), "double"),
    "unlowered": DialectOperationSpec("tiny.left", ("double",), "double"),
    "left": DialectOperationSpec("tiny.left", ("double",), "double"),
    "parameter": DirectCallSpec("tinylib/_tiny.so", "tiny_cube", ("char *",), "double"),
    "symbol": DirectCallSpec("tinylib/_tiny.so", "tiny cube", ("double",), "double"),
    "library": DirectCallSpec("/lib/libm.so", "cbrt", ("double",), "double"),
}
"""Specs that cannot be followed, for the tests."""


def annotate(module: Operation) -> None:
    """Names the first value of the module, so that its text shows who was here."""
    first = next(op for op in module.regions[0].blocks[0].ops[0].regions[0].blocks[0].ops if op.results)
    first.results[0].hint = "seen_by_tiny"


def remove_terminators(module: Operation) -> None:
    for function in module.regions[0].blocks[0].ops:
        for block in function.regions[0].blocks:
            block.ops[-1].detach()
