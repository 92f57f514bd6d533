"""Artifacts: a program as a folder that runs without the compiler, from anywhere, on the Python it was built for.

::

    DIR/NAME                           the launcher
    DIR/ppy-manifest.json
    DIR/ppy-files/lib/MODULE.so        native libraries, the support library among them
    DIR/ppy-files/code/MODULE.marshal  code objects
    DIR/ppy-files/src/…                the sources, laid out as the imports need them

Everything is written beside the destination and moved into place, so that a failure leaves nothing half-written. The
same inputs give the same bytes in any folder; only files that an earlier build of PPY left in `DIR` are replaced.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ppy_runtime.manifest.cache import remove_tree
from ppy_runtime.manifest.document import MANIFEST_NAME
from ppy_runtime.manifest.files import temporary_name, write_atomic
from ppy_runtime.manifest.store import encode

from ppy_compiler.build.program import Program, make_document
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.diagnostics.codes import artifacts as codes

if TYPE_CHECKING:
    from ppy_runtime.manifest.document import Document

FILES = "ppy-files"
"""The folder of everything but launcher and manifest; whatever else is in `DIR` stays."""


@dataclass(slots=True)
class _Placer:
    """Chooses names inside the artifact and remembers which file goes where."""

    sources: dict[str, str]
    files: dict[str, str] = field(default_factory=dict)

    def __call__(self, path: str, role: str) -> str:
        folder, _, module = role.partition("/")
        if folder == "src":
            name = f"{FILES}/src/{self.sources[module]}"
        elif folder == "code":
            name = f"{FILES}/code/{module}.marshal"
        else:
            suffix = os.path.splitext(path)[1]
            name = f"{FILES}/lib/{module or os.path.splitext(os.path.basename(path))[0]}{suffix}"
        self.files[name] = path
        return name


def write_artifact(
    program: Program, destination: str, made_by: dict[str, str], launcher: Callable[[], bytes]
) -> Document:
    """Write `program` into the folder `destination`; its manifest. E1802 where that is impossible."""
    placer = _Placer(_source_names(program))
    document = make_document(program, made_by, placer)
    try:
        _replace(destination, document, placer.files, program.name, launcher())
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiagnosticError(codes.UNWRITABLE_OUTPUT.at(destination, folder=destination, reason=reason)) from error
    return document


def _source_names(program: Program) -> dict[str, str]:
    """Where each module's source stands below `src`: as its import finds it from the entry's folder."""
    names: dict[str, str] = {}
    for part in program.units:
        base = os.path.basename(part.source)
        if part.module == program.entry:
            names[part.module] = base
        elif part.is_package:
            names[part.module] = f"{part.module.replace('.', '/')}/{base}"
        else:
            package = part.module.rpartition(".")[0].replace(".", "/")
            names[part.module] = f"{package}/{base}" if package else base
    return names


def _replace(destination: str, document: Document, files: dict[str, str], name: str, launcher: bytes) -> None:
    os.makedirs(destination, exist_ok=True)
    staging = temporary_name(os.path.join(destination, "build"))
    try:
        os.mkdir(staging)
        for target, source in sorted(files.items()):
            path = os.path.join(staging, *target.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copyfile(source, path)
        _move_in(staging, destination)
        write_atomic(os.path.join(destination, MANIFEST_NAME), encode(document))
        write_atomic(os.path.join(destination, name), launcher, executable=True)
    finally:
        remove_tree(staging)


def _move_in(staging: str, destination: str) -> None:
    # The old manifest goes first: a reader must never see it beside the new files.
    if os.path.exists(manifest := os.path.join(destination, MANIFEST_NAME)):
        os.unlink(manifest)
    target = os.path.join(destination, FILES)
    if os.path.isdir(target):
        old = temporary_name(target)
        os.rename(target, old)
        remove_tree(old)
    os.rename(os.path.join(staging, FILES), target)
