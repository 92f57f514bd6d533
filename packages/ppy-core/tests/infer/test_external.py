"""Types of libraries as facts: named by annotations, carried, joined, widened, printed, and told to plugins."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pytest
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import Assumptions, analyze
from ppy_compiler.infer.facts import Fact, instance_of
from ppy_compiler.infer.lattice import join, meet, widen
from ppy_compiler.plugins import (
    AttributeModel,
    CallModel,
    CallSite,
    DialectOperationSpec,
    ExternalType,
    OperationSite,
    Plugin,
    Value,
)
from ppy_compiler.plugins.registry import assemble
from ppy_compiler.support.source import Source


class ImageType(ExternalType):
    """`Image[channels]`, and `Annotated[Image, Shape(width, height)]`."""

    __slots__ = ()

    def subscripted(self, arguments: tuple[Value, ...]) -> ImageType | None:
        if len(arguments) != 1:
            return None
        (channels,) = arguments
        return self.refine(channels=channels.constant if channels.known else channels.name)

    def annotated(self, refinement: str, arguments: tuple[object, ...]) -> ImageType:
        return self.refine(size=arguments) if refinement == "Shape" else self


IMAGE = ImageType("shapes.Image")


class Shapes(Plugin):
    """Remembers what it was asked."""

    name = "shapes"
    modules = ("shapes",)

    def __init__(self) -> None:
        self.calls: list[CallSite] = []
        self.operations: list[OperationSite] = []

    def external_types(self) -> Mapping[str, ExternalType]:
        return {"shapes.Image": IMAGE, "shapes.typing.Picture": IMAGE.refine(channels=1)}

    def attribute_type(self, name: str) -> AttributeModel | None:
        return {"shapes.BLACK": AttributeModel(IMAGE.refine(channels=1)), "shapes.io": AttributeModel("module")}.get(
            name
        )

    def call(self, site: CallSite) -> CallModel | None:
        self.calls.append(site)
        match site.function:
            case "shapes.load" | "shapes.io.load":
                return CallModel(IMAGE.refine(channels=3, size=(640, 480)))
            case "shapes.halves":
                return CallModel((IMAGE, IMAGE.refine(half=2), "int"))
            case "shapes.Image.grown":
                return CallModel(
                    site.arguments[0].external.refine(size=None) if site.arguments[0].external else "object"
                )
        return None

    def operator(self, site: OperationSite) -> CallModel | None:
        self.operations.append(site)
        return CallModel(IMAGE.refine(kind=site.kind))

    def subscript(self, site: OperationSite) -> CallModel | None:
        self.operations.append(site)
        return CallModel("int") if site.kind == "[]" else CallModel("None")

    def instance_attribute(self, type: ExternalType, name: str) -> AttributeModel | None:
        return AttributeModel("int") if name == "width" else None


def returned(text: str, plugin: Plugin | None = None) -> str:
    """The type that `f` returns."""
    module = build_module(Source.from_text(text, "m.py"), "m")
    plugins = assemble([plugin or Shapes()])
    facts = analyze(module, assumptions=Assumptions(python=sys.version_info[:2]), plugins=plugins)
    return str(facts.functions["f"].returns)


@pytest.mark.parametrize(
    ("imports", "annotation", "wanted"),
    [
        ("import shapes", "shapes.Image", "shapes.Image"),
        ("import shapes as s", "s.Image[3]", "shapes.Image[channels=3]"),
        ("from shapes import Image", "'Image[3]'", "shapes.Image[channels=3]"),
        ("from shapes import Image as I", "I[1, 2]", "shapes.Image"),
        ("import shapes.typing", "shapes.typing.Picture", "shapes.Image[channels=1]"),
        ("import shapes.typing as t", "t.Picture", "shapes.Image[channels=1]"),
        ("import shapes as s", "s.Image[s.rgb]", "shapes.Image[channels=shapes.rgb]"),
        ("import shapes as s, ppy", "Annotated[s.Image, ppy.Shape(3, 4)]", "shapes.Image[size=(3, 4)]"),
        ("import shapes as s", "Annotated[s.Image[3], Shape(3, 4), Other]", "shapes.Image[channels=3, size=(3, 4)]"),
        ("import shapes as s", "s.Image | None", "None | shapes.Image"),
        ("from shapes import Image\nImage = int", "Image", "object"),
        ("import other as shapes", "shapes.Image", "object"),
        ("import shapes", "shapes.Other", "object"),
    ],
)
def test_annotations(imports: str, annotation: str, wanted: str) -> None:
    text = f"from typing import Annotated\n{imports}\ndef f(x: {annotation}):\n    return x\n"
    assert returned(text) == wanted


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return s.load()", "shapes.Image[channels=3, size=(640, 480)]"),
        ("return s.io.load()", "shapes.Image[channels=3, size=(640, 480)]"),
        ("return s.BLACK", "shapes.Image[channels=1]"),
        ("return s.halves()", "tuple[shapes.Image, shapes.Image[half=2], int[i64]]"),
        ("a, b, n = s.halves()\n    return b", "shapes.Image[half=2]"),
        ("return [s.load()]", "list[shapes.Image[channels=3, size=(640, 480)]]"),
        ("return s.load() + 1", "shapes.Image[kind=+]"),
        ("return 2.0 * s.load()", "shapes.Image[kind=*]"),
        ("return -s.load()", "shapes.Image[kind=-]"),
        ("return s.load() < s.load()", "shapes.Image[kind=<]"),
        ("return s.load()[1, 2]", "int[i64]"),
        ("return s.load().width", "int[i64]"),
        ("return s.load().grown()", "shapes.Image[channels=3]"),
        ("return s.load().other", "object"),
        ("return s.unknown()", "object"),
        ("x = s.load()\n    if n:\n        x = s.BLACK\n    return x", "shapes.Image"),
        ("x = s.load()\n    while n:\n        n = n - 1\n        x = x + 1\n    return x", "shapes.Image"),
        (
            "x = s.load()\n    while n:\n        n = n - 1\n        x = x.grown()\n    return x",
            "shapes.Image[channels=3]",
        ),
    ],
)
def test_carried(body: str, wanted: str) -> None:
    assert returned(f"import shapes as s\ndef f(n: int):\n    {body}\n") == wanted


def test_what_a_plugin_is_told() -> None:
    plugin = Shapes()
    returned(
        "import shapes as s\ndef f(n: int, x: float):\n"
        "    i = s.load('name', (n, 3), key=s.rgb, mode=None)\n    i[n, 1:2] = x\n    return i.grown(2)\n",
        plugin,
    )
    load, grown = plugin.calls[0], plugin.calls[-1]
    name, size = load.arguments
    assert (name.type, name.constant, name.position) == ("str", "name", 0)
    assert (size.type, size.known, size.position) == ("tuple[int, int]", False, 1)
    assert size.items is not None
    assert [item.known for item in size.items] == [False, True]
    key, mode = dict(load.keywords)["key"], dict(load.keywords)["mode"]
    assert (key.name, key.position, mode.constant, mode.position) == ("shapes.rgb", 2, None, 3)
    assert mode.known
    store = next(site for site in plugin.operations if site.kind == "[]=")
    assert store.types == ("shapes.Image", "tuple[int, slice]", "float")
    assert grown.function == "shapes.Image.grown"
    assert [value.type for value in grown.arguments] == ["shapes.Image", "int"]
    assert grown.arguments[0].external == IMAGE.refine(channels=3, size=(640, 480))


def test_the_order_of_facts() -> None:
    one, other, plain = (instance_of(t) for t in (IMAGE.refine(a=1, b=(1, 2)), IMAGE.refine(a=1, b=(1, 3)), IMAGE))
    assert str(join(one, other)) == "shapes.Image[a=1, b=(1, None)]"
    assert join(one, plain) == plain
    assert str(widen(one, join(one, other), [])) == "shapes.Image[a=1]"
    assert str(meet(plain, one)) == str(one)
    assert str(meet(Fact((1 << 23) - 1), one)).startswith("shapes.Image")
    assert str(join(one, instance_of(ExternalType("shapes.Other")))) == "external"


@pytest.mark.parametrize("change", ["twice", "beyond", "unknown"])
def test_a_call_that_is_adjusted_wrongly(change: str) -> None:
    class Wrong(Shapes):
        def adjust_call(self, site: CallSite) -> CallSite:
            first = site.arguments[0]
            added = {"twice": first, "beyond": Value("int", position=7), "unknown": Value("int")}[change]
            return CallSite(site.function, (first, added))

    with pytest.raises(DiagnosticError) as error:
        returned("import shapes\n\ndef f():\n    return shapes.load('a')\n", Wrong())
    found: Any = error.value.diagnostic
    assert (found.code, found.path, found.span.line) == ("E1905", "m.py", 4)
    assert "adjust_call" in found.message


@pytest.mark.parametrize(("default", "wanted"), [(1.5, "float"), ("text", "object"), (1, "object")])
def test_a_default_that_does_not_fit_is_not_lowered(default: object, wanted: str) -> None:
    class Defaults(Shapes):
        def adjust_call(self, site: CallSite) -> CallSite:
            return CallSite(site.function, (*site.arguments, Value("float", constant=default)))

        def call(self, site: CallSite) -> CallModel | None:
            return CallModel("object", lowering=DialectOperationSpec("arith.binary", ("double", "double"), "double"))

    assert returned("import shapes\ndef f(x: float):\n    return shapes.load(x)\n", Defaults()) == wanted
