"""Modules of a program: loaded natively when they can be, from the same code under CPython otherwise.

``Program`` is a manifest in use: it serves module code and decides per module whether to run natively. ``UnitLoader``
is the loader such a module has in its ``__spec__``: a ``SourceFileLoader`` in everything that tools ask a loader
(``get_source``, ``get_code``, ``get_filename``, resources), which runs the module in another way.

A module's source is the truth: when the file no longer has the content that was compiled, what is in the file runs.
"""

from __future__ import annotations

import marshal
import os
from _frozen_importlib import _call_with_frames_removed  # type: ignore[attr-defined]  # what hides importers' frames
from _frozen_importlib_external import SourceFileLoader
from _imp import _fix_co_filename  # type: ignore[attr-defined]  # importlib's own use of a cached code object

from ..manifest.files import read_bytes, sha256_of
from ..settings import note, warn
from .native import Damaged, NotCompiled, PrebuiltBinder, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType

    from ..manifest.document import Manifest, UnitRecord
    from .native import Execute

IMPORTLIB_FILE = "<frozen importlib._bootstrap_external>"
"""Frames with this file name are left out of the traceback of a failing import."""

MISFIT = "its library does not fit this interpreter"
"""The note for a unit that answers NotImplemented."""


class Program:
    """A manifest in use by this process. ``sources`` is the folder whose sources it serves instead of its own copies,
    laid out around the entry's source as those are."""

    def __init__(self, manifest: Manifest, sources: str | None = None) -> None:
        self.manifest = manifest
        self._sources = sources
        self.binder = PrebuiltBinder(manifest)
        self.modules: dict[str, UnitRecord] = {unit["module"]: unit for unit in manifest.document["units"]}

    def source_path(self, unit: UnitRecord) -> str:
        """The absolute path of the unit's source."""
        path = self.manifest.path(unit["source"]["file"])
        if self._sources is None:
            return path
        own = os.path.dirname(self.manifest.path(self.manifest.entry["source"]["file"]))
        return os.path.normpath(os.path.join(self._sources, os.path.relpath(path, own)))

    def unchanged(self, unit: UnitRecord) -> bool:
        """Whether the unit's source still is what was compiled."""
        try:
            return sha256_of(read_bytes(self.source_path(unit))) == unit["source"]["sha256"]
        except OSError:
            return False

    def code(self, unit: UnitRecord, path: str) -> CodeType | None:
        """The unit's code object as it was compiled, with ``path`` as its file, or None when that is not to be had."""
        record = unit["code"]
        if record is None:
            return None
        try:
            data = read_bytes(self.manifest.path(record["file"]))
        except OSError:
            return None
        if sha256_of(data) != record["sha256"]:
            return None
        code: CodeType = marshal.loads(data)
        _fix_co_filename(code, path)
        return code

    def native(self, module: str) -> Execute | None:
        """What runs ``module`` natively, or None with a word about it."""
        try:
            return self.binder.unit(module)
        except NotCompiled as reason:
            note(f"{module} runs from source: {reason}")
        except Refused as refusal:
            warn(f"{module} runs from source: {refusal}")
        return None

    def damaged(self) -> bool:
        """Whether something happened to the files that were made for the entry."""
        unit = self.manifest.entry
        try:
            self.binder.unit(unit["module"])
        except Damaged:
            return True
        except Refused:
            pass
        return self.unchanged(unit) and self.code(unit, unit["source"]["file"]) is None


class UnitLoader(SourceFileLoader):
    """Loads one module of a program; of a bare source when ``program`` is None."""

    def __init__(self, fullname: str, path: str, program: Program | None = None, unit: str | None = None) -> None:
        super().__init__(fullname, path)
        self.program = program
        self.unit_name = unit or fullname

    def _unit(self) -> UnitRecord | None:
        """The module's unit, if the source still is what was compiled."""
        if self.program is None:
            return None
        unit = self.program.modules[self.unit_name]
        if self.program.unchanged(unit):
            return unit
        note(f"{self.unit_name} runs from source: {self.path!r} was altered after the build")
        return None

    def _code(self, unit: UnitRecord | None) -> CodeType:
        """The module's code object."""
        if unit is not None and unit.get("warns"):
            return self._compiled()  # with CPython's warnings, or without them where it has a cached code object
        code = self.program.code(unit, self.path) if self.program is not None and unit is not None else None
        return self._compiled() if code is None else code

    def _compiled(self) -> CodeType:
        """What CPython makes of the source. A ``.ppy`` file is not in ``__pycache__``: ``x.py`` beside it would share
        its place."""
        code = super().get_code(self.name) if self.path.endswith(".py") else None
        return self.source_to_code(self.get_data(self.path), self.path) if code is None else code

    def get_code(self, fullname: str) -> CodeType:
        """The module's code object, compiled ahead if possible."""
        return self._code(self._unit())

    def exec_module(self, module: ModuleType) -> None:
        """Run the module: natively if possible."""
        unit = self._unit()
        code = self._code(unit)
        if self.program is not None and unit is not None:
            execute = self.program.native(self.unit_name)
            if execute is not None:
                if _call_with_frames_removed(execute, module.__dict__, code, module.__name__) is not NotImplemented:
                    return
                warn(f"{self.unit_name} runs from source: {MISFIT}")
        _call_with_frames_removed(exec, code, module.__dict__)


# A failing import shows no frames of importlib's; these functions are part of it as far as a reader is concerned.
for _method in (UnitLoader._unit, UnitLoader._code, UnitLoader._compiled, UnitLoader.get_code, UnitLoader.exec_module):
    _method.__code__ = _method.__code__.replace(co_filename=IMPORTLIB_FILE)
