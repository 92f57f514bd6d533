"""Building a program: every module it reaches to a unit, from the cache where one fits, and all of them to a manifest.

Takes the entry's source; gives a `build.Program` whose files lie in the cache (or, where no cache directory can be
used, in a temporary folder that goes when the process ends). A module that PPY fails on is left to CPython and reported
as a fault; nothing of that keeps the others from being native.
"""

from __future__ import annotations

import atexit
import json
import os
import tempfile
import warnings as python_warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from ppy_runtime.manifest.cache import Cache, remove_tree
from ppy_runtime.manifest.files import sha256_of, sha256_of_file

from ppy_compiler.backends import MissingObject, Workspace
from ppy_compiler.build import marshalled
from ppy_compiler.build.keys import BuildContext, unit_key
from ppy_compiler.build.objects import ObjectCache
from ppy_compiler.build.program import Program, ProgramUnit, StoredSupport, reached
from ppy_compiler.build.units import StoredUnit, UnitContent, load_unit, store_unit
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import toolchain, warnings
from ppy_compiler.driver import stages
from ppy_compiler.driver.extensions import run_backend_passes
from ppy_compiler.driver.faults import Fault, report_fault, strict
from ppy_compiler.driver.modules import (
    MAIN,
    Import,
    ProjectModule,
    Reached,
    imports_from_text,
    imports_of,
    imports_to_text,
    reach,
)
from ppy_compiler.driver.stages import StageFailed
from ppy_compiler.lower.pieces import PieceStore
from ppy_compiler.plugins.registry import NO_PLUGINS
from ppy_compiler.support.fingerprints import fingerprint
from ppy_compiler.support.source import Source

if TYPE_CHECKING:
    from ppy_compiler.dialects.builtin import Module
    from ppy_compiler.driver.session import Session
    from ppy_compiler.infer.results import ModuleFacts

_IMPORTS = "imports"
_SUPPORT = "support"


@dataclass(frozen=True, slots=True)
class BuiltProgram:
    """A program and what it was made from: the sources of its units, in order, and all files read or missed. `faults`
    are modules that PPY itself failed on."""

    program: Program
    sources: tuple[Source, ...]
    inputs: tuple[str, ...]
    faults: tuple[Diagnostic, ...]


class ProgramBuilder:
    """Builds one program in one session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.plugins = NO_PLUGINS
        self.faults: list[Diagnostic] = []
        self._parsed: dict[str, tuple[Source, CodeType, Module]] = {}
        self._warned: set[str] = set()
        self._temporary: Cache | None = None

    def build(self, entry: Source, name: str = MAIN) -> BuiltProgram:
        """The program of `entry`. Raises CPython's SyntaxError where the entry is not Python, Fault where PPY fails on
        the entry itself, DiagnosticError where a tool of the machine or its disk fails."""
        try:
            return self._build(entry, name)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DiagnosticError(toolchain.UNUSABLE_DISK.at(entry.path, reason=reason)) from error

    def _build(self, entry: Source, name: str) -> BuiltProgram:
        self.plugins = self.session.plugins_for(entry.path)
        found = reach(entry, self.session.search_folders(entry.path), self.read_imports, name)
        names = list(found.modules)
        units = [self._program_unit(module, names) for module in found.modules.values()]
        program = Program(
            name=os.path.splitext(os.path.basename(entry.path))[0],
            entry=name,
            units=tuple(units),
            support=self._support(entry.path) if any(part.unit.library for part in units) else None,
            context=self.session.context_for(entry.path),
        )
        sources = tuple(module.source for module in found.modules.values())
        return BuiltProgram(program, sources, self._inputs(found), tuple(self.faults))

    def read_imports(self, source: Source) -> Sequence[Import]:
        """The imports of a source, from the cache when its text was seen before."""
        key = fingerprint(source.digest, self.session.context_for(source.path).compiler)
        data = self.session.cache.get(_IMPORTS, key)
        if data is None:
            _, _, module = self._parse(source)
            data = imports_to_text(imports_of(module))
            self.session.cache.put(_IMPORTS, key, data)
        return imports_from_text(data)

    def _parse(self, source: Source) -> tuple[Source, CodeType, Module]:
        """The source under a name that says nothing of its folder, its code object and its IR. Whether CPython warns of
        the source is noted, nothing more: it is for whoever runs the program to let it warn."""
        if source.path not in self._parsed:
            neutral = Source(os.path.basename(source.path), source.data, source.text)
            with python_warnings.catch_warnings(record=True) as caught:
                python_warnings.simplefilter("always")
                code = stages.compiled(neutral)
            if caught:
                self._warned.add(source.path)
            self._parsed[source.path] = neutral, code, stages.python_ir(neutral, MAIN, code)
        return self._parsed[source.path]

    def _program_unit(self, module: ProjectModule, names: Sequence[str]) -> ProgramUnit:
        context = self.session.context_for(module.path)
        plugins = self.plugins.fingerprints(module.imports)
        key = unit_key(context, module.name, module.source.digest, plugins, module.is_package)
        unit = load_unit(self.session.cache, key)
        if unit is None:
            unit = self._compile(module, context, key)
        return ProgramUnit(
            module=module.name,
            is_package=module.is_package,
            source=module.path,
            digest=module.source.digest,
            unit=unit,
            imports=reached(names, module.imports),
        )

    def _compile(self, module: ProjectModule, context: BuildContext, key: str) -> StoredUnit:
        neutral, code, ir = self._parse(module.source)
        ir.attributes["sym"] = module.name
        try:
            content = self._native_content(neutral, code, ir, context, module.imports)
        except StageFailed as failed:
            fault = report_fault(failed.stage, module.path, failed.error, dict(self._settings()))
            if strict() or module.name == MAIN:
                raise Fault(fault) from failed
            self.faults.append(fault)
            content = UnitContent(marshalled.dumps(code), None, "", "", ())
            key = fingerprint(key, "left to CPython")
        return self._store(key, replace(content, warns=module.path in self._warned))

    def _native_content(
        self, source: Source, code: CodeType, ir: Module, context: BuildContext, imports: tuple[str, ...]
    ) -> UnitContent:
        stages.structured(ir, self.plugins)
        facts = stages.typed(ir, self.plugins)
        common = fingerprint(context.key, self.plugins.fingerprints(imports))
        pieces = PieceStore(ObjectCache(self.session.cache), common)
        try:
            return self._built_content(code, ir, facts, context, pieces)
        except MissingObject:  # the cache was cleared in between
            return self._built_content(code, ir, facts, context, None)

    def _built_content(
        self, code: CodeType, ir: Module, facts: ModuleFacts, context: BuildContext, pieces: PieceStore | None
    ) -> UnitContent:
        unit = stages.native(ir, facts, code, context.options, pieces, self.plugins)
        backend = self.session.backend
        run_backend_passes(unit.module, backend)
        with stages.stage(f"checking the unit with backend {backend.name}"):
            refusals = list(backend.validate(unit))
        if refusals:
            raise DiagnosticError(refusals[0])
        with tempfile.TemporaryDirectory(prefix="ppy-build-") as folder:
            workspace = Workspace(Path(folder), ObjectCache(self.session.cache))
            with stages.stage(f"making code with backend {backend.name}"):
                built = backend.build(unit, workspace, context.options)
            library = None if built.library is None else (built.library.name, built.library.read_bytes())
        if pieces is not None:
            pieces.save_all(unit.pieces, built.objects)
        return UnitContent(
            code=marshalled.dumps(code),
            library=library,
            format=built.format,
            layout=built.layout,
            functions=built.functions,
        )

    def _store(self, key: str, content: UnitContent) -> StoredUnit:
        stored = store_unit(self.session.cache, key, content)
        if stored is None:
            stored = store_unit(self.temporary_cache(), key, content)
        if stored is None:
            raise DiagnosticError(warnings.CACHE_UNAVAILABLE.at("", reason="no space left anywhere"))
        return stored

    def temporary_cache(self) -> Cache:
        """Where files go when no cache directory takes them; removed when this process ends."""
        if self._temporary is None:
            try:
                folder = tempfile.mkdtemp(prefix="ppy-run-")
            except OSError:
                self._temporary = Cache(())
            else:
                atexit.register(remove_tree, folder)
                self._temporary = Cache((folder,))
            roots = ", ".join(self.session.cache.roots) or "none is configured"
            self.session.sink.report(warnings.CACHE_UNAVAILABLE.at("", reason=roots))
        return self._temporary

    def _support(self, path: str) -> StoredSupport | None:
        context = self.session.context_for(path)
        key = fingerprint("support", context.key)
        if (known := _known_support(self.session.cache, key)) is not None:
            return known
        backend = self.session.backend
        with (
            tempfile.TemporaryDirectory(prefix="ppy-build-") as folder,
            stages.stage(f"making the support library of backend {backend.name}"),
        ):
            workspace = Workspace(Path(folder), ObjectCache(self.session.cache))
            made = backend.support(workspace, context.options)
            if made is None:
                return None
            data = made.library.read_bytes()
        record = json.dumps([made.library.name, sha256_of(data), made.format]).encode()
        for cache in (self.session.cache, self.temporary_cache):
            chosen = cache if isinstance(cache, Cache) else cache()
            tree = chosen.put_tree(_SUPPORT, key, {made.library.name: data})
            if tree is not None:
                chosen.put(_SUPPORT, key, record)
                return StoredSupport(os.path.join(tree, made.library.name), sha256_of(data), made.format)
        return None

    def _settings(self) -> list[tuple[str, object]]:
        return [(name, setting.value) for name, setting in self.session.config.settings.items()]

    def _inputs(self, found: Reached) -> tuple[str, ...]:
        return tuple(sorted({*found.looked_for, *self.session.config.looked_for}))


def _known_support(cache: Cache, key: str) -> StoredSupport | None:
    record = cache.get(_SUPPORT, key)
    tree = cache.tree(_SUPPORT, key)
    if record is None or tree is None:
        return None
    name, digest, format = json.loads(record)
    path = os.path.join(tree, name)
    return StoredSupport(path, digest, format) if sha256_of_file(path) == digest else None
