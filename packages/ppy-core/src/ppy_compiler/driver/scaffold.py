"""`ppy init`: a new distribution from a template, which is a whole one under a name that stands for any.

Takes the kind, a name and the folder to make; guarantees that the folder is there whole or not at all, and that nothing
that was there before is changed.
"""

from __future__ import annotations

import keyword
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ppy_compiler
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.diagnostics.codes import configuration as codes

TEMPLATES = Path(ppy_compiler.__file__).parent / "templates"
_LEFT_OUT = frozenset(("__pycache__", ".pytest_cache", "dist"))


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of distribution: the folder of its template, the name that is replaced there, what its own name begins
    with."""

    kind: str
    placeholder: str
    prefix: str


KINDS = (Template("plugin", "foolib", "ppy-plugin-"), Template("backend", "foogen", "ppy-backend-"))


def make_distribution(template: Template, name: str, folder: str | None = None) -> list[str]:
    """Make the distribution for `name` in `folder` (by default one of its own name here); the files that were made,
    relative to it. DiagnosticError (E2004) where that cannot be."""
    target = Path(folder or f"{template.prefix}{name}")
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        remedy = f"give the {'library' if template.kind == 'plugin' else 'backend'}'s name as it is imported"
        raise _refused(str(target), f"{name!r} is no name that Python can import", remedy)
    if target.exists() or target.is_symlink():
        raise _refused(str(target), "it is there already", "name another folder with -o, or remove it")
    if not target.parent.is_dir():
        raise _refused(str(target), f"there is no folder {target.parent}", "make that first, or name another with -o")
    try:
        with tempfile.TemporaryDirectory(prefix=".ppy-init-", dir=target.parent) as scratch:
            made = Path(scratch) / target.name
            files = list(_copy(TEMPLATES / template.kind, made, template.placeholder, name))
            os.rename(made, target)
    except OSError as error:
        raise _refused(str(target), error.strerror or str(error), "name another folder with -o") from error
    return sorted(files)


def _copy(source: Path, target: Path, placeholder: str, name: str) -> Iterator[str]:
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        for file in files:
            path = Path(folder, file)
            relative = str(path.relative_to(source)).replace(placeholder, name)
            made = target / relative
            made.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8").replace(placeholder, name)
            made.write_text(text.replace(placeholder.capitalize(), name.capitalize()), encoding="utf-8")
            shutil.copymode(path, made)
            yield relative


def _refused(folder: str, reason: str, remedy: str) -> DiagnosticError:
    return DiagnosticError(codes.INIT_REFUSED.at("", folder=folder, reason=reason, remedy=remedy))
