"""The LLVM backend: native IR to shared libraries for this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ppy_backends.llvm import codegen
from ppy_backends.llvm.modules import ModuleText, unit_modules
from ppy_backends.llvm.support import build_support, hot_functions, hot_ir, running_python, support_key
from ppy_compiler.backends.interface import (
    Backend,
    BuiltUnit,
    MissingObject,
    Options,
    SupportLibrary,
    ToolStatus,
    Unit,
    Workspace,
)
from ppy_compiler.backends.linkers import link_shared, linker_status
from ppy_compiler.dialects import func
from ppy_compiler.support.fingerprints import fingerprint, fingerprint_package

if TYPE_CHECKING:
    from ppy_compiler.diagnostics.code import Diagnostic


def create_backend() -> LLVMBackend:
    """What the entry point ``llvm`` of the group ``ppy.backends`` names."""
    return LLVMBackend()


class LLVMBackend(Backend):
    """Objects through llvmlite, linked by whatever linker the machine has."""

    name = "llvm"
    formats = ("llvm", "asm")

    def validate(self, unit: Unit) -> Iterable[Diagnostic]:
        """Native IR that is not well formed is a fault of ours, looked for where the verifier runs: in tests."""
        if os.environ.get("PPY_VERIFY"):
            from ppy_backends.llvm.checks import faults

            if found := list(faults(unit)):
                raise ValueError("; ".join(found[:3]))
        return ()

    def emit(self, unit: Unit, format: str, options: Options) -> str:
        modules = unit_modules(unit)
        if format == "llvm":
            return "\n".join(f"; module {m.name}\n{m.text}" for m in modules)
        return "\n".join(f"# module {m.name}\n{codegen.assembly_of(m, options)}" for m in modules)

    def build(self, unit: Unit, workspace: Workspace, options: Options) -> BuiltUnit:
        python = running_python()
        compiled = _Objects(workspace, options, self.fingerprint())
        inline = ModuleText("inline", "cold", hot_ir(python, hot_functions(python)))
        objects = _stored(unit)
        for module in (*unit_modules(unit), inline):
            objects.setdefault(module.source, []).append(compiled.add(module))
        paths = [compiled.write(key) for keys in objects.values() for key in keys]
        output = workspace.folder / "unit.so"
        link_shared(paths, output, unit.source_path)
        for path in paths:
            path.unlink()
        functions = {source: tuple(keys) for source, keys in objects.items() if source}
        return BuiltUnit(output, "shared", unit.functions, support_key(python), functions)

    def support(self, workspace: Workspace, options: Options) -> SupportLibrary:
        return SupportLibrary(build_support(workspace.folder), "shared")

    def toolchain(self) -> tuple[ToolStatus, ...]:
        return linker_status()

    def fingerprint(self) -> str:
        from llvmlite import __version__

        return fingerprint(self.name, self.interface, __version__, fingerprint_package("ppy_backends.llvm"))


def _stored(unit: Unit) -> dict[str, list[str]]:
    """The keys of the objects that are there already, by Python function; all functions in the order of the unit, which
    is that of linking whether they are stored or not."""
    objects: dict[str, list[str]] = {}
    for op in unit.module.regions[0].entry.ops:
        if isinstance(op, func.Stored):
            objects[op.source] = list(op.objects)
        elif isinstance(op, func.Func):
            objects.setdefault(op.source, [])
    return objects


class _Objects:
    """The objects of one build, in the store and on their way to the linker."""

    def __init__(self, workspace: Workspace, options: Options, backend: str) -> None:
        self.workspace = workspace
        self.options = options
        self.backend = backend
        self._made: dict[str, bytes] = {}
        self._files = 0

    def add(self, module: ModuleText) -> str:
        """Compile ``module`` unless the store has its object; the object's key."""
        key = codegen.object_key(module, self.options, self.backend)
        data = self.workspace.objects.get(key)
        if data is None:
            data = codegen.object_of(module, self.options)
            self.workspace.objects.put(key, data)
        self._made[key] = data
        return key

    def write(self, key: str) -> Path:
        """The file of an object, for the linker."""
        data = self._made.get(key) or self.workspace.objects.get(key)
        if data is None:
            raise MissingObject(key)
        path = self.workspace.folder / f"{self._files}.o"
        self._files += 1
        path.write_bytes(data)
        return path
