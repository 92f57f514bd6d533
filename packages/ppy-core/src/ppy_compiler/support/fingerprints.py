"""Stable fingerprints: the sha256 of nested data, of files, of the files of a package.

Equal data give equal fingerprints in every process, on every Python and machine; data that differ in type or in
nesting differ. Paths enter only relative to what they belong to, so that moving a folder changes nothing.
"""

from __future__ import annotations

import enum
import hashlib
import os
import struct
import sys
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from functools import cache

_SKIPPED_FOLDERS = frozenset({"__pycache__"})
_SKIPPED_SUFFIXES = (".pyc", ".pyo")


def fingerprint(*values: object) -> str:
    """The fingerprint of nested data: None, bool, int, float, str, bytes, paths, enum members, tuples and lists,
    sets, mappings, dataclasses. Anything else is a TypeError: an object without a value must not enter a key."""
    return hashlib.sha256(_encode(values)).hexdigest()


def _encode(value: object) -> bytes:
    match value:
        case None | bool():
            return _tagged(b"b", repr(value).encode())
        case enum.Enum():
            return _tagged(b"e", _encode(type(value).__qualname__) + _encode(value.name))
        case int():
            return _tagged(b"i", b"%d" % value)
        case float():
            return _tagged(b"f", struct.pack("<d", value))
        case str():
            return _tagged(b"s", value.encode("utf-8", "surrogatepass"))
        case bytes():
            return _tagged(b"y", value)
        case os.PathLike():
            return _tagged(b"p", _encode(os.fspath(value)))
        case tuple() | list():
            return _tagged(b"l", b"".join(map(_encode, value)))
        case Set():
            return _tagged(b"S", b"".join(sorted(map(_encode, value))))
        case Mapping():
            return _tagged(b"m", b"".join(sorted(_encode(k) + _encode(v) for k, v in value.items())))
    if is_dataclass(value) and not isinstance(value, type):
        body = b"".join(_encode((field.name, getattr(value, field.name))) for field in fields(value))
        return _tagged(b"d", _encode(type(value).__qualname__) + body)
    raise TypeError(f"{type(value).__qualname__} has no fingerprint")


def _tagged(tag: bytes, body: bytes) -> bytes:
    # The length makes the encoding prefix-free: ("ab", "c") and ("a", "bc") differ.
    return tag + str(len(body)).encode() + b":" + body


def fingerprint_files(root: str | os.PathLike[str], names: Iterable[str]) -> str:
    """The fingerprint of files, given relative to `root`: their names and their contents."""
    base = os.fspath(root)
    return fingerprint(*((name, _file_digest(os.path.join(base, name))) for name in sorted(names)))


def _file_digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def package_files(root: str | os.PathLike[str]) -> list[str]:
    """The files below a package's folder that can change what it does, relative with "/" and sorted."""
    base = os.fspath(root)
    found: list[str] = []
    for folder, folders, files in os.walk(base):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS)
        relative = os.path.relpath(folder, base).replace(os.sep, "/")
        prefix = "" if relative == "." else relative + "/"
        found.extend(prefix + name for name in files if not name.endswith(_SKIPPED_SUFFIXES))
    return sorted(found)


@cache
def fingerprint_package(name: str) -> str:
    """The fingerprint of an installed package's files, found without importing it: any edit of a compiler under
    development changes its cache keys. Cached for the life of the process."""
    roots = _package_roots(name)
    if not roots:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return fingerprint(name, *(fingerprint_files(root, package_files(root)) for root in roots))


def code_folder(module: str) -> str:
    """The folder of the outermost regular package around an imported module (`ppy_backends.llvm` for all of its parts),
    else the folder that the module's own file lies in; empty where there is no file."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        file = getattr(sys.modules.get(".".join(parts[:length])), "__file__", None)
        if file is not None and os.path.basename(file).startswith("__init__."):
            return os.path.dirname(str(file))
    return os.path.dirname(str(getattr(sys.modules.get(module), "__file__", None) or ""))


@cache
def code_fingerprint(module: str) -> str:
    """The fingerprint of the files of the outermost regular package around an imported module, else of its own file."""
    folder, file = code_folder(module), getattr(sys.modules.get(module), "__file__", None)
    if not folder or file is None:
        return fingerprint(module)
    packaged = os.path.isfile(os.path.join(folder, "__init__.py"))
    return fingerprint_files(folder, package_files(folder) if packaged else [os.path.basename(str(file))])


def _package_roots(name: str) -> list[str]:
    # `importlib.util.find_spec("a.b")` would import `a`; walking the path finders does not.
    from importlib.machinery import PathFinder

    path: list[str] | None = None
    prefix = ""
    for part in name.split("."):
        prefix = f"{prefix}.{part}" if prefix else part
        spec = PathFinder.find_spec(prefix, path)
        if spec is None or spec.submodule_search_locations is None:
            return []
        path = list(spec.submodule_search_locations)
    return path or []
