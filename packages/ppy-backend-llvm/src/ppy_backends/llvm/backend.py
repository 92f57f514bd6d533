"""The LLVM backend: native IR to shared libraries for this machine."""

from __future__ import annotations

from ppy_backends.llvm import codegen
from ppy_backends.llvm.modules import ModuleText, unit_modules
from ppy_backends.llvm.support import build_support, hot_functions, hot_ir, running_python, support_key
from ppy_compiler.backends.interface import Backend, BuiltUnit, Options, SupportLibrary, ToolStatus, Unit, Workspace
from ppy_compiler.backends.linkers import link_shared, linker_status
from ppy_compiler.support.fingerprints import fingerprint, fingerprint_package


def create_backend() -> LLVMBackend:
    """What the entry point ``llvm`` of the group ``ppy.backends`` names."""
    return LLVMBackend()


class LLVMBackend(Backend):
    """Objects through llvmlite, linked by whatever linker the machine has."""

    name = "llvm"
    formats = ("llvm", "asm")

    def emit(self, unit: Unit, format: str, options: Options) -> str:
        modules = unit_modules(unit)
        if format == "llvm":
            return "\n".join(f"; module {m.name}\n{m.text}" for m in modules)
        return "\n".join(f"# module {m.name}\n{codegen.assembly_of(m, options)}" for m in modules)

    def build(self, unit: Unit, workspace: Workspace, options: Options) -> BuiltUnit:
        backend = self.fingerprint()
        paths = []
        for index, module in enumerate(unit_modules(unit)):
            path = workspace.folder / f"{index}.o"
            path.write_bytes(self._object(module, workspace, options, backend))
            paths.append(path)
        inline = workspace.folder / "inline.o"
        inline.write_bytes(self._inline_object(workspace, options, backend))
        output = workspace.folder / "unit.so"
        link_shared([*paths, inline], output, unit.source_path)
        for path in (*paths, inline):
            path.unlink()
        return BuiltUnit(output, "shared", unit.functions, layout=support_key(running_python()))

    def _object(self, module: ModuleText, workspace: Workspace, options: Options, backend: str) -> bytes:
        key = codegen.object_key(module, options, backend)
        data = workspace.objects.get(key)
        if data is None:
            data = codegen.object_of(module, options)
            workspace.objects.put(key, data)
        return data

    def _inline_object(self, workspace: Workspace, options: Options, backend: str) -> bytes:
        """The inline functions once more, for the modules that call them."""
        python = running_python()
        module = ModuleText("inline", "cold", hot_ir(python, hot_functions(python)))
        return self._object(module, workspace, options, backend)

    def support(self, workspace: Workspace, options: Options) -> SupportLibrary:
        return SupportLibrary(build_support(workspace.folder), "shared")

    def toolchain(self) -> tuple[ToolStatus, ...]:
        return linker_status()

    def fingerprint(self) -> str:
        from llvmlite import __version__

        return fingerprint(self.name, self.interface, __version__, fingerprint_package("ppy_backends.llvm"))
