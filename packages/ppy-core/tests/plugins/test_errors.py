"""Plugins and backends that do not fit: each gets its own code, whichever order things were installed in."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from ppy_compiler.backends.registry import Backends
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.driver import stages
from ppy_compiler.ir.rewrite import Pattern
from ppy_compiler.plugins.interface import AttributeModel, CallModel, CallSite, Plugin
from ppy_compiler.plugins.registry import assemble, load_plugins
from ppy_compiler.plugins.specs import (
    DialectOperationSpec,
    DirectCallSpec,
    ElementSpec,
    IntrinsicSpec,
    LoweringSpec,
    ScalarSpec,
)
from ppy_compiler.support.extensions import Extension, LibraryBound
from ppy_compiler.support.registry import Registry
from ppy_compiler.support.source import Source


class First(Plugin):
    name = "first"
    modules = ("foolib",)

    def call(self, site: CallSite) -> CallModel | None:
        return CallModel("float") if site.function == "foolib.root" else None

    def attribute_type(self, name: str) -> AttributeModel | None:
        raise KeyError(name)


class Second(Plugin):
    name = "second"
    modules = ("foolib",)


def code_of(error: pytest.ExceptionInfo[DiagnosticError]) -> str:
    return error.value.diagnostic.code


def extension(name: str, target: str = "absent:create", **fields: object) -> Extension:
    return Extension("ppy.plugins", name, target, f"{name}-dist", "1.0", **fields)  # type: ignore[arg-type]


def test_two_plugins_claim_one_module() -> None:
    for order in ([First(), Second()], [Second(), First()]):
        with pytest.raises(DiagnosticError) as error:
            assemble(order)
        assert code_of(error) == "E1901"
        assert "foolib" in error.value.diagnostic.message


def test_wrong_interface_version_is_refused_before_import() -> None:
    known = [extension("old", interface=1)]  # its module does not exist: importing it would be another error
    with pytest.raises(DiagnosticError) as error:
        load_plugins(["old"], known)
    assert code_of(error) == "E1903"


def test_wrong_interface_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old_plugin.py").write_text(
        textwrap.dedent("""
            from ppy_compiler.plugins import Plugin

            class Old(Plugin):
                name = "old"
                interface = 1
        """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(DiagnosticError) as error:
        load_plugins(["old"], [extension("old", "old_plugin:Old")])
    assert code_of(error) == "E1903"


def test_failing_hook() -> None:
    plugins = assemble([First()])
    with pytest.raises(DiagnosticError) as error:
        plugins.attribute_type("foolib.LIMIT")
    assert code_of(error) == "E1905"
    assert "attribute_type" in error.value.diagnostic.message


def test_a_plugin_that_cannot_be_imported() -> None:
    with pytest.raises(DiagnosticError) as error:
        load_plugins(["gone"], [extension("gone")])
    assert code_of(error) == "E1905"


def test_an_enabled_plugin_that_is_not_installed() -> None:
    with pytest.raises(DiagnosticError) as error:
        load_plugins(["nowhere"], [])
    assert code_of(error) == "E1908"


def test_library_outside_bounds() -> None:
    known = [extension("foo", libraries=(LibraryBound("foolib", ">=1,<2", "2.1"),))]
    plugins = load_plugins(["foo"], known)
    assert plugins.plugins == ()
    assert [note.code for note in plugins.notes] == ["W5002"]


def test_unknown_backend() -> None:
    known = [Extension("ppy.backends", "llvm", "absent:create", "ppy-backend-llvm", "1.0", interface=1)]
    with pytest.raises(DiagnosticError) as error:
        Backends(known).get("lvm")
    assert code_of(error) == "E1904"
    assert "did you mean 'llvm'?" in error.value.diagnostic.message


def test_unknown_plugin() -> None:
    with pytest.raises(DiagnosticError) as error:
        load_plugins(["numpi"], [extension("numpy")])
    assert code_of(error) == "E1908"
    assert "did you mean 'numpy'?" in error.value.diagnostic.message
    assert error.value.diagnostic.help == "`[tool.ppy.plugins.numpi]` asks for it; installed plugins: numpy"


def test_one_name_from_two_distributions() -> None:
    known = [Extension("ppy.backends", "x", "absent:create", dist, "1.0") for dist in ("a", "b")]
    with pytest.raises(DiagnosticError) as error:
        Backends(known).get("x")
    assert "b registers the same name" in error.value.diagnostic.message


def test_only_the_claiming_plugin_is_asked() -> None:
    plugins = assemble([First()])
    site = CallSite.of("foolib.root", "float")
    assert plugins.call(site) == (site, CallModel("float"))
    assert plugins.call(CallSite("foolib.other")) is None
    assert plugins.call(CallSite("numpy.sin")) is None
    assert plugins.fingerprints(["os", "numpy"]) == ()
    assert [name for name, _ in plugins.fingerprints(["foolib.sub"])] == ["first"]


def test_broken_pass() -> None:
    class Breaking(Plugin):
        name = "breaking"
        modules = ("foolib",)

        def register_passes(self, registry: Registry[Any]) -> None:
            registry.register(
                "cut", lambda: lambda module: module.regions[0].blocks[0].ops[0].regions[0].blocks[0].ops.pop()
            )

    source = Source.from_text("import foolib\n")
    module = stages.python_ir(source, "m", stages.compiled(source))
    with pytest.raises(DiagnosticError) as error:
        stages.structured(module, assemble([Breaking()]))
    assert code_of(error) == "E1902"
    assert error.value.diagnostic.message.startswith("the pass `cut` of `breaking` left invalid IR: ")


def spec_fault(spec: LoweringSpec) -> str:
    """What `ppy` says of a call that the plugin lowers so, with its place."""
    source = Source.from_text("import foolib\n\nfoolib.root(1.0)\n", "m.py")

    class Wrong(Plugin):
        name = "wrong"
        modules = ("foolib",)

        def call(self, site: CallSite) -> CallModel | None:
            return CallModel("float", lowering=spec)

    module = stages.python_ir(source, "m", stages.compiled(source))
    with pytest.raises(DiagnosticError) as error:
        stages.typed(module, assemble([Wrong()]))
    found = error.value.diagnostic
    assert (found.path, found.span and found.span.line) == ("m.py", 3)
    assert "the plugin `wrong` " in found.message and "`foolib.root`" in found.message
    return f"{found.code}: {found.message.partition('but ')[2]}"


def test_wrong_specs() -> None:
    def operation(name: str, *operands: str, result: str = "double", **more: Any) -> str:
        return spec_fault(DialectOperationSpec(name, operands, result, **more))

    two = ("double", "double")
    assert spec_fault(IntrinsicSpec("math.sqart")) == "E1906: PPY models no function of that name"
    assert operation("arit.neg", "double") == "E1906: there is no dialect 'arit'; did you mean 'arith'?"
    assert operation("arith.nag", "double").startswith("E1906: the dialect has no such operation")
    assert operation("arith.fneg", *two) == "E1906: it takes 1 operands, not 2"
    assert operation("arith.fneg", "double", declines=True) == "E1906: it has 1 results, not 2"
    assert operation("arith.binary", *two, attributes=(("knd", "fadd"),)).startswith("E1906: it has no attribute 'knd'")
    assert operation("arith.fneg", "float") == "E1906: 'float' is none of double, int64_t, int32_t, bool, object"
    assert operation("py.unary", "object", result="object") == "E1906: nobody registered a lowering of it"


def test_wrong_elements() -> None:
    assert spec_fault(ElementSpec("f80", 13, 1)).startswith("E1906: an array has elements f32, f64, i1, i16")
    assert spec_fault(ElementSpec("f64", 12, 0)).startswith("E1906: an array has elements")
    assert spec_fault(ScalarSpec("+", "f32")) == "E1906: an operator of Python computes f64 or i64"
    assert spec_fault(ScalarSpec("add", "f64")) == "E1906: an operator of Python computes f64 or i64"


def test_wrong_signatures() -> None:
    def call(library: str, symbol: str, *parameters: str) -> str:
        return spec_fault(DirectCallSpec(library, symbol, parameters, "double"))

    assert call("foolib/_c.so", "cube", "char *") == "E1907: 'char *' is none of double, int64_t, int32_t, bool"
    assert call("foolib/_c.so", "my cube", "double") == "E1907: 'my cube' is no name of a C function"
    assert "is no path from the folder" in call("/lib/libm.so", "cbrt", "double")
    assert "is no path from the folder" in call("../libm.so", "cbrt", "double")


def test_an_answer_that_is_no_model() -> None:
    class Texts(Plugin):
        name = "texts"
        modules = ("foolib",)

        def call(self, site: CallSite) -> CallModel | None:
            return "float"  # type: ignore[return-value]

    with pytest.raises(DiagnosticError) as error:
        assemble([Texts()]).call(CallSite("foolib.root"))
    assert code_of(error) == "E1905"
    assert "it answered 'float', which is no CallModel" in error.value.diagnostic.message


def test_two_plugins_lower_one_operation() -> None:
    class Lowering(First):
        def register_lowerings(self, registry: Registry[Pattern]) -> None:
            registry.register("foo.cube", lambda: lambda op, rewriter: False)

    class Other(Lowering):
        name = "other"
        modules = ("otherlib",)

    with pytest.raises(DiagnosticError) as error:
        assemble([Lowering(), Other()]).lowerings  # noqa: B018
    assert code_of(error) == "E1905"
    assert "first lowers 'foo.cube' already" in error.value.diagnostic.message


def test_fingerprints_cover_versions() -> None:
    """Another version of the plugin's distribution, or of a library that it bounds, is another key."""

    def made(version: str, library: str) -> tuple[tuple[str, str], ...]:
        bound = LibraryBound("foolib", ">=1", library)
        origin = Extension("ppy.plugins", "first", "first:create", "first-dist", version, libraries=(bound,))
        return assemble([First()], origins={"first": origin}).fingerprints(["foolib"])

    assert made("1.0", "1.1") == made("1.0", "1.1")
    assert len({made("1.0", "1.1"), made("1.0", "1.2"), made("1.1", "1.1")}) == 3
