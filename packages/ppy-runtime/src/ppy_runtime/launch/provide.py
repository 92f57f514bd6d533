"""How an imported ``.ppy`` source gets native code: whoever has it first.

1. a prebuilt artifact beside the file: ``__ppy__/STEM.CACHE_TAG/``, made by ``ppy build geometry.ppy -o
   __ppy__/geometry.cpython-312``, so that one folder serves several Pythons;
2. the cache, by content, without the compiler;
3. a compiler: the first entry point of the group ``ppy.compiler`` whose ``provide(source, module)`` returns the folder
   of a manifest. It is loaded only here, when an import came this far;
4. nobody: the source runs under CPython.

With ``PPY_DISABLE=1`` nobody is asked. No failure on the way is an error of the import: the source is there.
"""

from __future__ import annotations

import os
import sys

from ..manifest.errors import ManifestError
from ..settings import disabled, note
from .units import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Provide = Callable[[str, str], str | None]
    """A compiler's side of the hook: (absolute path of the source, module name) to the folder of a manifest."""

COMPILERS = "ppy.compiler"


def artifact_beside(source: str) -> str:
    """The folder where a prebuilt artifact for ``source`` would be."""
    folder, name = os.path.split(source)
    return os.path.join(folder, "__ppy__", f"{os.path.splitext(name)[0]}.{sys.implementation.cache_tag}")


def _prebuilt(source: str, module: str) -> Program | None:
    """The artifact beside the source, while every source it was compiled from is what it was: a module may have been
    compiled for what another one said."""
    folder = artifact_beside(source)
    if not os.path.isdir(folder):
        return None
    from .artifact import load_artifact

    program = Program(load_artifact(folder), os.path.dirname(source))
    altered = [name for name, unit in program.modules.items() if not program.unchanged(unit)]
    if altered:
        note(f"{module}: the artifact in {folder!r} is not used: other sources were compiled for {', '.join(altered)}")
        return None
    return program


def _cached(source: str, module: str) -> Program | None:
    from .warm import find_program

    manifest = find_program(source, {}, module=module)
    return None if manifest is None else Program(manifest)


def _compiled(source: str, module: str) -> Program | None:
    from importlib.metadata import entry_points

    from ..manifest.store import load

    for entry in entry_points(group=COMPILERS):
        provide: Provide = entry.load()
        folder = provide(source, module)
        if folder is not None:
            return Program(load(folder))
    return None


def program_for(source: str, module: str) -> Program | None:
    """The program that serves ``source`` as ``module``, or None when it has to run from source."""
    if disabled():
        return None
    for ask in (_prebuilt, _cached, _compiled):
        try:
            program = ask(source, module)
        except ManifestError as error:
            note(f"{module}: {error}")
            continue
        except Exception as error:  # a compiler of whatever make must not break an import that CPython can do
            note(f"{module} runs from source: the compiler failed: {type(error).__name__}: {error}")
            continue
        if program is not None:
            if any(program.source_path(unit) == source for unit in program.modules.values()):
                return program
            note(f"{module}: {program.manifest!r} does not hold {source!r}")
    return None
