"""Built units in the cache: what was built, filed under its content key, and read back verified.

A unit is a folder of plain files (what the runtime opens) and one record that names them with their digests. A unit
whose record or files are missing or altered is not there: the caller builds it again. Writing goes through the
runtime's cache, so files appear whole or not at all and a directory that takes nothing is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppy_runtime.manifest.cache import Cache
from ppy_runtime.manifest.files import sha256_of, sha256_of_file

from ppy_compiler.backends import UnitFunction

_KIND = "unit"
CODE_FILE = "code.marshal"


@dataclass(frozen=True, slots=True)
class StoredUnit:
    """A built unit: where its files lie, and what the manifest and the reports say of it.

    `code` and `library` are (file name, digest); `library` is None where nothing is native; `warns`: CPython warns when
    it compiles the source.
    """

    key: str
    folder: str
    code: tuple[str, str]
    library: tuple[str, str] | None
    format: str
    layout: str
    functions: tuple[UnitFunction, ...]
    warns: bool = False

    def path(self, file: tuple[str, str]) -> str:
        return os.path.join(self.folder, file[0])


@dataclass(frozen=True, slots=True)
class UnitContent:
    """A unit about to be stored: `library` is (file name, bytes)."""

    code: bytes
    library: tuple[str, bytes] | None
    format: str
    layout: str
    functions: tuple[UnitFunction, ...]
    warns: bool = False


def load_unit(cache: Cache, key: str) -> StoredUnit | None:
    """The unit filed under `key`, every file of it as it was written, or None."""
    payload = cache.get(_KIND, key)
    folder = cache.tree(_KIND, key)
    if payload is None or folder is None:
        return None
    try:
        unit = _from_data(key, folder, json.loads(payload))
    except (ValueError, KeyError, TypeError):
        return None
    files = (unit.code, unit.library) if unit.library is not None else (unit.code,)
    intact = all(sha256_of_file(unit.path(file)) == file[1] for file in files)
    return unit if intact else None


def store_unit(cache: Cache, key: str, content: UnitContent) -> StoredUnit | None:
    """File a unit; None when no cache directory takes it. Another process may have filed the same one meanwhile."""
    files = {CODE_FILE: content.code}
    if content.library is not None:
        files[content.library[0]] = content.library[1]
    folder = cache.put_tree(_KIND, key, files)
    if folder is None:
        return load_unit(cache, key)
    unit = StoredUnit(
        key=key,
        folder=folder,
        code=(CODE_FILE, sha256_of(content.code)),
        library=None if content.library is None else (content.library[0], sha256_of(content.library[1])),
        format=content.format,
        layout=content.layout,
        functions=content.functions,
        warns=content.warns,
    )
    cache.put(_KIND, key, json.dumps(_to_data(unit), sort_keys=True).encode())
    return unit


def _to_data(unit: StoredUnit) -> dict[str, Any]:
    return {
        "code": unit.code,
        "library": unit.library,
        "format": unit.format,
        "layout": unit.layout,
        "functions": [
            [f.sym, f.qualname, list(f.code_path), f.native, f.reason, list(f.versions)] for f in unit.functions
        ],
        "warns": unit.warns,
    }


def _from_data(key: str, folder: str, data: Mapping[str, Any]) -> StoredUnit:
    functions = tuple(
        UnitFunction(sym, qualname, tuple(path), native, reason, tuple(versions))
        for sym, qualname, path, native, reason, versions in data["functions"]
    )
    return StoredUnit(
        key=key,
        folder=folder,
        code=_pair(data["code"]),
        library=None if data["library"] is None else _pair(data["library"]),
        format=data["format"],
        layout=data["layout"],
        functions=functions,
        warns=bool(data["warns"]),
    )


def _pair(value: Any) -> tuple[str, str]:
    name, digest = value
    return str(name), str(digest)
