"""The finder on ``sys.meta_path``: ``.ppy`` modules, and the modules of programs in use.

Takes the place just before the interpreter's own path finder and answers in exactly two cases:

- the first entry of the path that has the module has it as ``NAME.ppy`` or ``NAME/__init__.ppy``, and not in a form
  that CPython knows: a ``.ppy`` module is found where a ``.py`` in its place would be, and never hides one;
- the interpreter's own path finder would load a source that is a unit of a program in use: it still decides which
  file that is, and only the loader is replaced.

Everything else is left to the finders after it. How a ``.ppy`` source that no program in use has is run is the
business of ``provide``, loaded when that happens first.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib_external import PathFinder, spec_from_file_location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from .units import Program

SUFFIX = ".ppy"

_programs: list[Program] = []
_units: dict[str, tuple[Program, str]] = {}
_names: set[str] = set()
_listings: dict[str, tuple[int, frozenset[str]]] = {}


def add_program(program: Program) -> None:
    """Let imports find the modules of ``program``; installs the finder."""
    _programs.append(program)
    for name, unit in program.modules.items():
        _units.setdefault(os.path.realpath(program.source_path(unit)), (program, name))
        _names.add(name)
    install()


def unit_at(path: str) -> tuple[Program, str] | None:
    """The program in use that has the source ``path``, and its name there."""
    return _units.get(os.path.realpath(path))


def _listing(folder: str) -> frozenset[str]:
    """The names in a folder that may matter here: ``.ppy`` files, and everything without a dot, as a package has."""
    try:
        changed = os.stat(folder).st_mtime_ns
        known = _listings.get(folder)
        if known is None or known[0] != changed:
            names = frozenset(name for name in os.listdir(folder) if name.endswith(SUFFIX) or "." not in name)
            known = _listings[folder] = (changed, names)
        return known[1]
    except OSError:
        return frozenset()


def _candidate(folder: str, name: str) -> tuple[str, bool] | None:
    """The ``.ppy`` source of module ``name`` in ``folder``, and whether it is a package."""
    names = _listing(folder)
    if name in names:
        package = os.path.join(folder, name, "__init__" + SUFFIX)
        if os.path.isfile(package):
            return package, True
    if name + SUFFIX in names:
        return os.path.join(folder, name + SUFFIX), False
    return None


def _find_ppy(fullname: str, path: Iterable[object]) -> tuple[str, bool] | None:
    """The ``.ppy`` source that an import of ``fullname`` over ``path`` means, or None."""
    name = fullname.rpartition(".")[2]
    before: list[str] = []
    for folder in path:
        if not isinstance(folder, str):  # CPython ignores these too
            continue
        before.append(folder)
        found = _candidate(folder or os.getcwd(), name)
        if found is not None:
            known = PathFinder.find_spec(fullname, before)
            return found if known is None or known.loader is None else None
    return None


class Finder:
    """See the module's text."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module that is ours, or None."""
        found = _find_ppy(fullname, sys.path if path is None else path)
        if found is not None:
            source, package = found
            return _spec(fullname, os.path.abspath(source), package)
        if fullname not in _names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or unit_at(spec.origin) is None:
            return spec
        return _spec(fullname, spec.origin, spec.submodule_search_locations is not None)

    @staticmethod
    def invalidate_caches() -> None:
        """Forget what folders contained."""
        _listings.clear()


def _spec(fullname: str, source: str, package: bool) -> ModuleSpec | None:
    from .units import UnitLoader

    served = unit_at(source)
    if served is None:
        from .provide import program_for

        provided = program_for(source, fullname)
        if provided is not None:
            add_program(provided)
            served = unit_at(source)
    loader = UnitLoader(fullname, source, *(served or ()))
    locations = [os.path.dirname(source)] if package else None
    return spec_from_file_location(fullname, source, loader=loader, submodule_search_locations=locations)


def install() -> None:
    """Put the finder just before the interpreter's own path finder, if it is not on ``sys.meta_path``."""
    if Finder not in sys.meta_path:
        place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
        sys.meta_path.insert(place, Finder)


def uninstall() -> None:
    """Take the finder away. Modules already imported stay as they are."""
    while Finder in sys.meta_path:
        sys.meta_path.remove(Finder)
