"""The modules of a program: the entry, and every project module that it reaches by import.

Takes the entry's source and the folders where the program's imports are looked up first: its own, and the configured
source roots. Imports are read off Python IR; a name that none of these folders has is a library's and is left to
CPython, as are imports that only happen at run time. Guarantees to name every path whose appearance or disappearance
would change the answer, so that a cached program can be trusted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ppy_compiler.dialects.py.imports import ImportName
from ppy_compiler.ir import Operation
from ppy_compiler.support.source import Source

MAIN = "__main__"
# CPython's order within a folder: a package before a module; a form that CPython knows before ours.
_FORMS = ("{0}/__init__.py", "{0}.py", "{0}/__init__.ppy", "{0}.ppy")


@dataclass(frozen=True, slots=True)
class Import:
    """One import statement: the dotted name, the number of leading dots, and the names it takes out."""

    module: str
    level: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectModule:
    """One module of a program. `imports` are absolute dotted names, of libraries too."""

    name: str
    path: str
    is_package: bool
    source: Source
    imports: tuple[str, ...]


@dataclass(slots=True)
class Reached:
    """What a walk over a program's imports found. `unreadable` are project files that could not be read or parsed; they
    are left to CPython, which reports them when they are imported."""

    modules: dict[str, ProjectModule] = field(default_factory=dict)
    looked_for: set[str] = field(default_factory=set)
    unreadable: dict[str, Exception] = field(default_factory=dict)


ReadImports = Callable[[Source], Iterable[Import]]


def reach(entry: Source, folders: Iterable[str], read_imports: ReadImports, name: str = MAIN) -> Reached:
    """The program that starts at `entry`. Raises what `read_imports` raises for the entry itself."""
    roots = tuple(dict.fromkeys(map(os.path.realpath, folders)))
    found = Reached()
    is_package = os.path.basename(entry.path).startswith("__init__.") and name != MAIN
    _add(found, ProjectModule(name, os.path.abspath(entry.path), is_package, entry, ()), read_imports)
    pending = list(found.modules[name].imports)
    while pending:
        wanted = pending.pop()
        if wanted in found.modules or wanted in sys.builtin_module_names:
            continue
        location = _locate(wanted, roots, found.looked_for)
        if location is None:
            continue
        path, package = location
        try:
            module = ProjectModule(wanted, path, package, Source.read(path), ())
            _add(found, module, read_imports)
        except (OSError, SyntaxError, ValueError) as error:
            found.unreadable[path] = error
            continue
        pending.extend(found.modules[wanted].imports)
    return found


def _add(found: Reached, module: ProjectModule, read_imports: ReadImports) -> None:
    imports = tuple(sorted(set(_absolute(module, read_imports(module.source)))))
    found.looked_for.add(module.path)
    found.modules[module.name] = ProjectModule(module.name, module.path, module.is_package, module.source, imports)


def _absolute(module: ProjectModule, imports: Iterable[Import]) -> Iterator[str]:
    """Every dotted name that an import may load: its parents, itself, and what it takes out of it."""
    for item in imports:
        base = item.module
        if item.level:
            package = module.name.split(".")
            drop = item.level - 1 if module.is_package else item.level
            if module.name == MAIN or drop >= len(package) + (not module.is_package):
                continue  # ImportError when it is reached
            package = package[: len(package) - drop]
            base = ".".join([*package, base] if base else package)
        parts = base.split(".") if base else []
        for length in range(1, len(parts) + 1):
            yield ".".join(parts[:length])
        if base:
            yield from (f"{base}.{name}" for name in item.names if name != "*")


def _locate(name: str, roots: tuple[str, ...], looked_for: set[str]) -> tuple[str, bool] | None:
    relative = name.replace(".", "/")
    for root in roots:
        for form in _FORMS:
            path = os.path.join(root, *form.format(relative).split("/"))
            looked_for.add(path)
            if os.path.isfile(path):
                return path, "__init__" in form
    return None


def own_modules(names: Iterable[str], folders: Iterable[str]) -> set[str]:
    """Those of the top-level names that are modules in the folders where the program's imports are looked up first."""
    roots = tuple(dict.fromkeys(map(os.path.realpath, folders)))
    return {name for name in names if _locate(name, roots, set()) is not None}


def imports_of(module: Operation) -> tuple[Import, ...]:
    """The import statements of a module in Python IR, each once, in order."""
    found = {
        Import(op.module, op.level, tuple(op.fromlist or ())): None
        for op in module.walk()
        if isinstance(op, ImportName)
    }
    return tuple(found)


def imports_to_text(imports: Iterable[Import]) -> bytes:
    """Imports as cached data; `imports_from_text` reads it back."""
    return json.dumps([[item.module, item.level, item.names] for item in imports]).encode()


def imports_from_text(data: bytes) -> tuple[Import, ...]:
    return tuple(Import(module, level, tuple(names)) for module, level, names in json.loads(data))
