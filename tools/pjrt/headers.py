"""Fetches the wheels named in ``sources.toml`` and lays their C headers out for the parser.

Takes the source list and a download folder; gives back, per version, an include folder that gcc can use and the text
of one translation unit. Headers never enter the repository: they live in the download folder only.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

# The extension headers that are plain C. The others (cross-host transfers, executable metadata, host allocators)
# name C++ types and cannot be laid out from C; TPU topology is not offered by any plugin this client is tested with.
EXTENSIONS = (
    "abi_version ffi gpu layouts memory_descriptions phase_compile profiler raw_buffer shardings stream"
).split()

WANTED = (
    "xla/pjrt/",
    "xla/ffi/api/",
    "xla/backends/profiler/plugin/",
    "xla/service/hlo.pb.h",
    "xla/xla_data.pb.h",
    "xla/xla.pb.h",
)


@dataclass(frozen=True, slots=True)
class Source:
    """One version of one header family."""

    family: str
    minor: int
    requirement: str
    include: str
    core: str


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers of one version, on disk, and the text that includes them all."""

    source: Source
    folder: Path
    unit: str


def read_sources() -> list[Source]:
    """The pinned list, in the order oldest first within each family."""
    raw = tomllib.loads((HERE / "sources.toml").read_text())
    return [Source(family, **entry) for family in ("pjrt", "ffi") for entry in raw[family]]


def _wheel(requirement: str, wheels: Path) -> Path:
    name, _, version = requirement.partition("==")
    pattern = f"{name.replace('-', '_')}-{version}-*.whl"
    if not (found := sorted(wheels.glob(pattern))):
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
        command += ["--python-version", "3.12", "-d", str(wheels), requirement]
        subprocess.run(command, check=True)
        found = sorted(wheels.glob(pattern))
    return found[-1]


def _extract(source: Source, wheels: Path) -> Path:
    target = wheels / "headers" / source.requirement.replace("==", "-")
    if not target.exists():
        with zipfile.ZipFile(_wheel(source.requirement, wheels)) as archive:
            for member in archive.namelist():
                relative = member.removeprefix(source.include + "/")
                if relative == member or not relative.endswith(".h"):
                    continue
                if not (relative.startswith(WANTED) or relative == source.core):
                    continue
                path = target / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(member))
    return target


def headers_of(source: Source, wheels: Path) -> Headers:
    """Downloads (once), extracts, and writes the translation unit of one version."""
    folder = _extract(source, wheels)
    includes = [source.core]
    if source.family == "pjrt":
        paths = (f"xla/pjrt/c/pjrt_c_api_{name}_extension.h" for name in EXTENSIONS)
        includes += [path for path in paths if (folder / path).exists()]
    unit = "#include <stddef.h>\n#include <stdint.h>\n#include <stdbool.h>\n"
    unit += "".join(f'#include "{path}"\n' for path in includes)
    if source.family == "pjrt":
        unit += (HERE / "undistributed.h").read_text()
    return Headers(source, folder, unit)
