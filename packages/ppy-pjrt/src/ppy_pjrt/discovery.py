"""Finding plugins without importing anything of theirs.

Order: an explicit path; ``PPY_PJRT_PLUGIN``; then candidates of the platform asked for (any, where none is): the
``jax_plugins`` and ``xla_plugins`` namespaces and entry points, CPU wheels known by name, libtpu. What is set and
wrong is an error, never a fall-through. libtpu is only looked at when asked for by name: off its own machines it hangs.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import PluginNotFound

if TYPE_CHECKING:
    from .plugin import Plugin

VARIABLE = "PPY_PJRT_PLUGIN"
PLATFORMS = ("cpu", "cuda", "rocm", "tpu")
_ALIASES = {"gpu": "cuda", "host": "cpu"}

# Wheels that carry a CPU plugin outside the namespaces: module, file. Newest API first.
_CPU_WHEELS = (
    ("lammps_jax_pjrt_cpu", "pjrt_c_api_cpu_plugin.so"),
    ("fastatomstruct_xla_cpu", "libpjrt_cpu.so"),
)
_LIBRARY_FOLDERS = ("~/lib", "/usr/local/lib", "/usr/lib")
_LIBRARY_NAMES = ("libpjrt_c_api_cpu_plugin.so", "pjrt_c_api_cpu_plugin.so", "libpjrt_cpu.so")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may be a plugin, why it was considered, and for which platform."""

    path: Path
    platform: str
    origin: str


def find_plugin(source: str | os.PathLike[str] | None = None) -> Path:
    """The plugin file of a path, of a platform name, or the first there is."""
    if source is None and (value := os.environ.get(VARIABLE)):
        return _existing(value, f"the variable {VARIABLE}")
    wanted = _ALIASES.get(str(source).lower(), str(source).lower()) if source is not None else None
    if wanted is not None and wanted not in PLATFORMS:
        return _existing(source if source is not None else "", "the argument")
    found = list(candidates(wanted))
    if not found:
        what = f"a plugin for {wanted!r}" if wanted else "a PJRT plugin"
        raise PluginNotFound(
            f"{what} was not found; looked at {VARIABLE} (not set), the jax_plugins and xla_plugins namespaces and "
            f"entry points, the CPU wheels {', '.join(name for name, _ in _CPU_WHEELS)}, {', '.join(_LIBRARY_FOLDERS)}"
            f"{', libtpu' if wanted == 'tpu' else ''}. Install one (a CPU plugin: pip install fastatomstruct-xla-cpu; "
            f"CUDA: pip install jax-cuda13-pjrt) or give its path"
        )
    return found[0].path.resolve()


def _existing(value: str | os.PathLike[str], where: str) -> Path:
    path = Path(value).expanduser()
    if not path.is_file():
        known = ", ".join(PLATFORMS)
        raise PluginNotFound(f"{where} names {os.fspath(value)!r}, which is no file (and no platform: {known})")
    return path.resolve()


def candidates(platform: str | None = None) -> Iterator[Candidate]:
    """Every plugin file there is for a platform, best first; each file once."""
    seen: set[Path] = set()
    for item in _all(platform):
        resolved = item.path.resolve()
        if resolved not in seen and (platform is None or item.platform == platform):
            seen.add(resolved)
            yield item


def _all(platform: str | None) -> Iterator[Candidate]:
    yield from _namespaces()
    yield from _entry_points()
    for module, file in _CPU_WHEELS:
        for place in _folders_of(module):
            if (path := place / file).is_file():
                yield Candidate(path, "cpu", f"the wheel of {module}")
    for folder in _LIBRARY_FOLDERS:
        for name in _LIBRARY_NAMES:
            if (path := Path(folder).expanduser() / name).is_file():
                yield Candidate(path, "cpu", folder)
    if platform == "tpu":
        yield from _libtpu()


def _libtpu() -> Iterator[Candidate]:
    if value := os.environ.get("TPU_LIBRARY_PATH"):
        yield Candidate(_existing(value, "the variable TPU_LIBRARY_PATH"), "tpu", "TPU_LIBRARY_PATH")
    folders = [*_folders_of("libtpu"), *(Path(folder).expanduser() for folder in ("/lib", "/usr/lib", "~/lib"))]
    for place in folders:
        if (path := place / "libtpu.so").is_file():
            yield Candidate(path, "tpu", str(place))


def _namespaces() -> Iterator[Candidate]:
    for entry in sys.path:
        for namespace in ("jax_plugins", "xla_plugins"):
            root = Path(entry or ".", namespace)
            if not root.is_dir():
                continue
            for folder in sorted(root.iterdir()):
                yield from _in_folder(folder, f"the {namespace} namespace")


def _in_folder(folder: Path, origin: str) -> Iterator[Candidate]:
    if not folder.is_dir():
        return
    libraries = sorted(folder.glob("xla_*.so")) or sorted(folder.glob("*.so"))
    for path in libraries:
        yield Candidate(path, _guess(folder.name + " " + path.name), origin)


def _entry_points() -> Iterator[Candidate]:
    from importlib.metadata import entry_points

    for group in ("jax_plugins", "xla_plugins"):
        for point in entry_points(group=group):
            for folder in _folders_of(point.module):
                yield from _in_folder(folder, f"the {group} entry point {point.name}")


def _folders_of(module: str) -> list[Path]:
    """The folders of a package, found without importing it."""
    parts = module.split(".")
    try:
        spec = importlib.util.find_spec(parts[0])
    except (ImportError, ValueError):
        return []
    if spec is None or not spec.submodule_search_locations:
        return []
    return [Path(place, *parts[1:]) for place in spec.submodule_search_locations]


def _guess(name: str) -> str:
    lowered = name.lower()
    for word, platform in (("cuda", "cuda"), ("gpu", "cuda"), ("rocm", "rocm"), ("tpu", "tpu"), ("cpu", "cpu")):
        if word in lowered:
            return platform
    return "unknown"


def platform_of(plugin: Plugin) -> str:
    """What a loaded plugin is for: its attributes, then extensions only one family has, then its file name."""
    attributes = plugin.attributes
    for key in attributes:
        if key.startswith("cuda") or "cuda" in key:
            return "cuda"
        if "rocm" in key:
            return "rocm"
        if "tpu" in key:
            return "tpu"
    names = {item.name for item in plugin.extensions}
    if names & {"TpuTopology", "TpuExecutable", "Megascale"}:
        return "tpu"
    guess = _guess(f"{plugin.path.parent.name} {plugin.path.name}")
    if guess == "unknown" and names & {"Gpu_Custom_Call", "Stream"}:
        return "cuda"
    return guess
