"""Finding plugins."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import ppy_pjrt
import pytest
from ppy_pjrt import discovery
from ppy_pjrt.discovery import candidates, find_plugin
from ppy_pjrt.errors import PluginNotFound
from ppy_pjrt.plugin import Plugin

pytestmark = pytest.mark.host


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without plugins."""
    monkeypatch.delenv("PPY_PJRT_PLUGIN", raising=False)
    monkeypatch.delenv("TPU_LIBRARY_PATH", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(discovery, "_LIBRARY_FOLDERS", (str(tmp_path / "lib"),))
    monkeypatch.setattr(discovery, "_folders_of", lambda module: [])
    monkeypatch.setattr(discovery, "_entry_points", lambda: iter(()))
    return tmp_path


def _touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    return path.resolve()


def test_a_path_is_taken_as_it_is_and_must_exist(empty: Path) -> None:
    path = _touch(empty / "mine.so")
    assert find_plugin(path) == find_plugin(str(path)) == path
    with pytest.raises(PluginNotFound, match="nowhere.so.*platform: cpu, cuda"):
        find_plugin("nowhere.so")


def test_the_variable_wins_over_search_and_is_never_passed_over(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _touch(empty / "jax_plugins/xla_cuda99/xla_cuda_plugin.so")
    monkeypatch.setenv("PPY_PJRT_PLUGIN", str(_touch(empty / "other.so")))
    assert find_plugin().name == "other.so"
    assert find_plugin("cuda").name == "xla_cuda_plugin.so", "a platform asked for by name is asked for"
    monkeypatch.setenv("PPY_PJRT_PLUGIN", "/no/such/file.so")
    with pytest.raises(PluginNotFound, match="PPY_PJRT_PLUGIN.*/no/such/file.so"):
        find_plugin()


def test_namespaces_by_platform(empty: Path) -> None:
    cuda = _touch(empty / "jax_plugins/xla_cuda13/xla_cuda_plugin.so")
    cpu = _touch(empty / "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so")
    assert [item.path for item in candidates()] == [cuda, cpu]
    assert find_plugin("cpu") == cpu and find_plugin("gpu") == find_plugin("cuda") == cuda
    with pytest.raises(PluginNotFound, match="a plugin for 'rocm'"):
        find_plugin("rocm")


@pytest.mark.parametrize("group", ["jax_plugins", "xla_plugins"])
def test_entry_points(group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = _touch(tmp_path / "acme/runtime/xla_cpu_acme.so")
    (tmp_path / "acme/__init__.py").write_text("raise SystemExit('looking for a plugin imports nothing')")
    _touch(tmp_path / "acme-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (tmp_path / "acme-1.0.dist-info/entry_points.txt").write_text(f"[{group}]\nspeedy = acme.runtime\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    found = list(candidates("cpu"))
    assert [(item.path, item.origin) for item in found] == [(library, f"the {group} entry point speedy")]


def test_nothing_found_lists_every_place(empty: Path) -> None:
    with pytest.raises(PluginNotFound, match="jax_plugins and xla_plugins.*fastatomstruct_xla_cpu.*pip install"):
        find_plugin()


def test_libtpu_is_looked_at_only_when_asked_for(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = _touch(empty / "libtpu.so")
    monkeypatch.setenv("TPU_LIBRARY_PATH", str(library))
    assert list(candidates()) == []
    assert find_plugin("tpu") == library


@pytest.mark.cpu
def test_the_cpu_wheels_are_found(plugin_path: Path) -> None:
    assert Plugin(plugin_path).platform == "cpu"
    assert Plugin(plugin_path) is Plugin(str(plugin_path)), "one plugin per file and process"


@pytest.mark.cpu
def test_every_installed_cpu_wheel(plugin_path: Path) -> None:
    import importlib.util

    known = {"lammps_jax_pjrt_cpu", "fastatomstruct_xla_cpu", "xla_plugins"}
    installed = {name for name in known if importlib.util.find_spec(name)}
    found = {item.path.parts[item.path.parts.index("site-packages") + 1] for item in candidates("cpu")}
    assert installed <= found


@pytest.mark.cpu
def test_plugin_facts(plugin: Plugin) -> None:
    versions = plugin.stablehlo_versions
    assert versions is not None and versions[0] == "0.9.0"
    assert {"FFI", "Layouts"} <= {item.name for item in plugin.extensions}
    assert plugin.extension("no such") is None
    assert len(plugin.digest) == 64


@pytest.mark.cpu
def test_doctor_says_what_works_and_why_not(newest: Path, tmp_path: Path) -> None:
    bad = _touch(tmp_path / "xla_plugins/broken_cpu/broken.so")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    command = [sys.executable, "-m", "ppy_pjrt", "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    verdicts = {item["path"]: item["verdict"] for item in json.loads(done.stdout)["plugins"]}
    assert verdicts[str(newest)] == "works"
    assert "cannot be loaded" in verdicts[str(bad)]
    text = subprocess.run(command[:-1], capture_output=True, text=True, env=environment, check=True).stdout
    assert "passed over" in text and "works" in text


def test_importing_is_cheap_and_loads_no_plugin() -> None:
    """Processor time, so that a busy machine does not count; the wall clock is the benchmark's."""
    code = """import sys, time
t = time.process_time(); import ppy_pjrt; package = time.process_time() - t
light = "ctypes" not in sys.modules
ppy_pjrt.Client
print(package, light, time.process_time() - t, any("jax" in name or "numpy" in name for name in sys.modules))"""
    command = [sys.executable, "-c", code]
    lines = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    assert min(float(line[0]) for line in lines) < 0.025
    assert lines[0][1] == "True" and lines[0][3] == "False"
    assert min(float(line[2]) for line in lines) < 0.1


def test_a_wheel_is_small() -> None:
    """What a wheel holds, packed as wheels are."""
    root = Path(ppy_pjrt.__file__).parent
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in root.rglob("*"):
            if path.suffix in (".py", ".c", ".h", ".typed"):
                archive.write(path, path.relative_to(root.parent))
    assert len(packed.getvalue()) < 290_000


def test_every_public_name_exists() -> None:
    import ppy_pjrt

    for name in ppy_pjrt.__all__:
        assert getattr(ppy_pjrt, name) is not None, name
    with pytest.raises(AttributeError):
        ppy_pjrt.no_such_name  # noqa: B018
