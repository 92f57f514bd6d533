"""Plugins and backends that do not fit: each gets its own code, whichever order things were installed in."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from ppy_compiler.backends.registry import Backends
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.driver import stages
from ppy_compiler.plugins.interface import AttributeModel, CallModel, CallSite, Plugin
from ppy_compiler.plugins.registry import assemble, load_plugins
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
    assert code_of(error) == "E1905"


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


def test_one_name_from_two_distributions() -> None:
    known = [Extension("ppy.backends", "x", "absent:create", dist, "1.0") for dist in ("a", "b")]
    with pytest.raises(DiagnosticError) as error:
        Backends(known).get("x")
    assert "b registers the same name" in error.value.diagnostic.message


def test_only_the_claiming_plugin_is_asked() -> None:
    plugins = assemble([First()])
    assert plugins.call(CallSite("foolib.root", ("float",))) == CallModel("float")
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

    source = Source.from_text("x = 1\n")
    module = stages.python_ir(source, "m", stages.compiled(source))
    with pytest.raises(DiagnosticError) as error:
        stages.structured(module, assemble([Breaking()]))
    assert code_of(error) == "E1902"
    assert error.value.diagnostic.message.startswith("the pass `cut` of `breaking` left invalid IR: ")
