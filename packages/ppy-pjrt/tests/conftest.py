"""Plugins for the tests: every CPU plugin installed here, the CUDA wheel, and variants of a fake one built by gcc.

Tiers (`host`, `cpu`, `cuda`, `gpu`) are those of the whole workspace: a skip in a required tier fails the session.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from pjrt_support import cpu_plugins
from ppy_pjrt.abi import STRUCTS, layout
from ppy_pjrt.client import Client
from ppy_pjrt.discovery import candidates
from ppy_pjrt.plugin import Plugin


def plugin_ids() -> list[str]:
    return [f"0.{Plugin(path).api.minor}" for path in cpu_plugins()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "plugin_path" in metafunc.fixturenames:
        paths: list[object] = list(cpu_plugins())
        if not paths:
            paths = [pytest.param(None, marks=pytest.mark.skip(reason="no CPU plugin is installed"))]
            metafunc.parametrize("plugin_path", paths, scope="session")
        else:
            metafunc.parametrize("plugin_path", paths, ids=plugin_ids(), scope="session")


@pytest.fixture(scope="session")
def plugin(plugin_path: Path) -> Plugin:
    return Plugin(plugin_path)


@pytest.fixture(scope="session")
def client(plugin: Plugin) -> Client:
    """One client per plugin for the tests that leave it open."""
    return Client(plugin)


@pytest.fixture(scope="session")
def newest() -> Path:
    if not cpu_plugins():
        pytest.skip("no CPU plugin is installed")
    return cpu_plugins()[-1]


@pytest.fixture(scope="session")
def newest_client(newest: Path) -> Client:
    return Client(Plugin(newest))


@pytest.fixture(scope="session")
def cuda_plugin() -> Plugin:
    found = list(candidates("cuda"))
    if not found:
        pytest.skip("the CUDA plugin is not installed")
    return Plugin(found[0].path)


def _offsets() -> str:
    lines = []
    for name in STRUCTS:
        if "@" in name:
            continue
        shape = layout(name)
        lines.append(f"#define SIZE_{name} {shape.size}")
        for field in shape.fields.values():
            lines.append(f"#define O_{name}_{field.name.replace('.', '_')} {field.offset}")
    return "\n".join(lines)


@pytest.fixture(scope="session")
def build_fake(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Builds a variant of the fake plugin: ``build_fake(MINOR=81)``."""
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("fake")
    (folder / "offsets.h").write_text(_offsets())
    source = Path(__file__).with_name("fake") / "plugin.c"

    @cache
    def build(**macros: object) -> Path:
        name = "_".join(f"{key}-{value}" for key, value in sorted(macros.items())) or "plain"
        target = folder / f"fake_{name}.so"
        flags = [f"-D{key}={value}" for key, value in macros.items()]
        command = ["gcc", "-O1", "-shared", "-fPIC", "-pthread", f"-I{folder}", *flags, str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        return target

    return build
