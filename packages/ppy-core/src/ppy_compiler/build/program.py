"""A program: its units put together into one manifest, in the cache or in memory.

The cached form names files where they lie: sources in the project, libraries and code in the units' folders of the
cache. The artifact form copies them (`artifact`). Both are the same document.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ppy_runtime.abi import ABI_VERSION, FUNCTION_NATIVE, FUNCTION_PYTHON
from ppy_runtime.manifest.document import MANIFEST_FORMAT, MANIFEST_NAME, Manifest
from ppy_runtime.manifest.python import cpu_features, this_python
from ppy_runtime.manifest.store import check_document, encode

from ppy_compiler.backends import UnitFunction
from ppy_compiler.build.keys import BuildContext, program_key, target_triple
from ppy_compiler.build.units import StoredUnit

if TYPE_CHECKING:
    from ppy_runtime.manifest.cache import Cache
    from ppy_runtime.manifest.document import Document, LibraryRecord, UnitRecord

_KIND = "program"


@dataclass(frozen=True, slots=True)
class ProgramUnit:
    """One module of a program: `imports` are the names of the program's modules that it reaches."""

    module: str
    is_package: bool
    source: str
    digest: str
    unit: StoredUnit
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredSupport:
    """The support library of a program's units, where it lies."""

    path: str
    digest: str
    format: str


@dataclass(frozen=True, slots=True)
class Program:
    """A program's parts, before a manifest gives their files names. `entry` is the module that runs first."""

    name: str
    entry: str
    units: tuple[ProgramUnit, ...]
    support: StoredSupport | None
    context: BuildContext


Placement = Callable[[str, str], str]
"""(absolute path of a file, its role and module: "code/pkg.mod") to its path relative to the manifest's folder."""


def make_document(program: Program, made_by: dict[str, str], place: Placement) -> Document:
    """The manifest of `program` with every file named by `place`."""
    support: LibraryRecord | None = None
    if program.support is not None and any(part.unit.library is not None for part in program.units):
        library = program.support
        support = {"file": place(library.path, "lib/"), "sha256": library.digest, "format": library.format}
    document: Document = {
        "format": MANIFEST_FORMAT,
        "abi": ABI_VERSION,
        "name": program.name,
        "entry": program.entry,
        "made_by": made_by,
        "python": this_python(),
        "target": {"triple": target_triple(program.context.options), "features": _features(program)},
        "support": support,
        "units": [_unit_record(part, place) for part in program.units],
        "regions": [],
    }
    check_document(document)
    return document


def _features(program: Program) -> list[str]:
    return cpu_features() if program.context.options.cpu == "native" else []


def _unit_record(part: ProgramUnit, place: Placement) -> UnitRecord:
    unit = part.unit
    library: LibraryRecord | None = None
    if unit.library is not None:
        where = place(unit.path(unit.library), f"lib/{part.module}")
        library = {"file": where, "sha256": unit.library[1], "format": unit.format}
    record: UnitRecord = {
        "module": part.module,
        "package": part.is_package,
        "source": {"file": place(part.source, f"src/{part.module}"), "sha256": part.digest},
        "code": {"file": place(unit.path(unit.code), f"code/{part.module}"), "sha256": unit.code[1]},
        "library": library,
        "layout": unit.layout,
        "functions": [_function_record(function) for function in unit.functions],
        "imports": list(part.imports),
    }
    if unit.warns:
        record["warns"] = True
    return record


def _function_record(function: UnitFunction) -> Any:
    status = FUNCTION_NATIVE if function.native else FUNCTION_PYTHON
    symbol = function.sym if function.native else ""
    return {"qualname": function.qualname, "symbol": symbol, "status": status, "reason": function.reason}


def store_program(cache: Cache, program: Program, made_by: dict[str, str]) -> Manifest | None:
    """Put the program's manifest into the cache; None when no directory takes it."""
    parts: Iterable[tuple[str, str, str]] = ((part.module, part.unit.key, part.source) for part in program.units)
    key = program_key(program.context, program.entry, parts)
    for folder in cache.tree_paths(_KIND, key):
        document = make_document(program, made_by, _relative_to(folder))
        # The manifest names files relative to its own folder, so it fits the directory that accepted it only.
        if cache.put_tree(_KIND, key, {MANIFEST_NAME: encode(document)}) == folder:
            return Manifest(document, folder)
    return None


def _relative_to(folder: str) -> Placement:
    def place(path: str, role: str) -> str:
        return os.path.relpath(path, folder).replace(os.sep, "/")

    return place


def reached(modules: Sequence[str], imports: Iterable[str]) -> tuple[str, ...]:
    """The names among `imports` that are modules of the program, sorted."""
    return tuple(sorted(set(imports) & set(modules)))
