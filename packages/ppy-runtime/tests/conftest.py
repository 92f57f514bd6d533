"""Programs to launch: built here by hand, as a compiler would lay them out.

Their "native" libraries come in two kinds. ``pretend`` is a text file that a loader registered through an entry point
turns into a Python function, so that the tests need no C compiler; what the text says is what the unit does. ``shared``
is a real library compiled from ``data/unit.c``.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from ppy_runtime.manifest import Manifest, host_triple, sha256_of, this_python
from ppy_runtime.manifest.store import write

if TYPE_CHECKING:
    from ppy_runtime.manifest.document import Document, FileRecord, LibraryRecord, UnitRecord

PYTHON: str = getattr(sys, "_base_executable", sys.executable)
"""This interpreter without its virtual environment, where a compiler may be installed: it must not take part here."""
PACKAGES = Path(__file__).resolve().parents[1] / "src"
DATA = Path(__file__).resolve().parent / "data"


def record(folder: Path, name: str, content: bytes) -> FileRecord:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return {"file": name, "sha256": sha256_of(content)}


def unit_record(folder: Path, module: str, text: str, suffix: str, library: LibraryRecord | None) -> UnitRecord:
    source = record(
        folder, f"src/{'main' if module == '__main__' else module.replace('.', '/')}{suffix}", text.encode()
    )
    code = compile(text, "as compiled", "exec", dont_inherit=True)
    return {
        "module": module,
        "package": False,
        "source": source,
        "code": record(folder, f"code/{module}.marshal", marshal.dumps(code)),
        "library": library,
        "layout": "",
        "functions": [],
        "imports": [],
    }


def document(units: list[UnitRecord], name: str = "program", entry: str = "__main__") -> Document:
    return {
        "format": 1,
        "abi": 1,
        "name": name,
        "entry": entry,
        "made_by": {"tests": "1"},
        "python": this_python(),
        "target": {"triple": host_triple(), "features": []},
        "support": None,
        "units": units,
        "regions": [],
    }


@dataclass
class Artifacts:
    """Builds artifacts under ``root`` and runs them."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    suffix: str = ".py"
    executable: str = PYTHON

    def build(
        self, sources: Mapping[str, str], native: Mapping[str, str | Path] | None = None, folder: str = "artifact"
    ) -> Manifest:
        """An artifact of ``sources`` (module name to text). ``native``: what a module's library says, or a library."""
        where = self.root / folder
        units = []
        for module, text in sources.items():
            library: LibraryRecord | None = None
            if native and module in native:
                said = native[module]
                content = said.read_bytes() if isinstance(said, Path) else said.encode()
                kind = "shared" if isinstance(said, Path) else "pretend"
                library = {**record(where, f"lib/{module}.so", content), "format": kind}
            units.append(unit_record(where, module, text, self.suffix, library))
        made = document(units, entry=next(iter(sources)))
        write(str(where), made)
        return Manifest(made, str(where))

    def python(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run this interpreter with ``arguments``."""
        return subprocess.run(
            [self.executable, *arguments],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            env=self.environment | environment,
            cwd=self.root,
            check=False,
        )

    def launch(self, folder: str = "artifact", *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """``python -m ppy_runtime FOLDER ARGUMENTS``."""
        return self.python("-m", "ppy_runtime", folder, *arguments, **environment)


def pretend_loader(root: Path) -> Path:
    """A distribution that registers the loader for libraries of the format ``pretend``."""
    site = root / "site-pretend"
    info = site / "pretend-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pretend\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ppy.loaders]\npretend = pretend_loader:load\n")
    (site / "pretend_loader.py").write_text((DATA / "pretend_loader.py").read_text())
    return site


@pytest.fixture
def artifacts(tmp_path: Path) -> Artifacts:
    paths = os.pathsep.join([str(PACKAGES), str(pretend_loader(tmp_path))])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PPY_", "PYTHON", "XDG_"))}
    kept |= {"PYTHONPATH": paths, "HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)}
    return Artifacts(tmp_path, kept)


@pytest.fixture(scope="session")
def unit_library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Compiles the real unit library once."""
    made: list[Path] = []

    def build() -> Path:
        if not made:
            target = tmp_path_factory.mktemp("unit") / "unit.so"
            include = sysconfig.get_paths()["include"]
            command = ["cc", "-O1", "-shared", "-fPIC", f"-I{include}", str(DATA / "unit.c"), "-o", str(target)]
            subprocess.run(command, check=True)
            made.append(target)
        return made[0]

    return build
