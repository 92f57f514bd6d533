"""LLVM assembly to objects, through llvmlite.

Hot modules get the support library's inline functions linked in and the whole optimisation pipeline; cold ones and
data go straight to
code generation without it, which is what keeps general code cheap to compile.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ppy_backends.llvm.modules import ModuleText
from ppy_backends.llvm.support import hot_ir, running_python
from ppy_compiler.backends.interface import Options
from ppy_compiler.support.fingerprints import fingerprint

if TYPE_CHECKING:
    from llvmlite import binding

BASELINE_CPU = "x86-64-v2"
"""What "baseline" means on x86-64: every such machine of the last dozen years."""


@cache
def llvm() -> Any:
    """The initialised LLVM binding."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    return binding


@cache
def target_machine(level: int, cpu: str) -> binding.TargetMachine:
    """A code generator for this machine; ``cpu`` is ``baseline`` or ``native``."""
    b = llvm()
    name, features = "", ""
    if cpu == "native":
        name, features = b.get_host_cpu_name(), b.get_host_cpu_features().flatten()
    elif b.get_process_triple().startswith("x86_64"):
        name = BASELINE_CPU
    target = b.Target.from_triple(b.get_process_triple())
    return target.create_target_machine(cpu=name, features=features, opt=level, reloc="pic", codemodel="default")


LEVELS = {"hot": 3, "warm": 1, "cool": 0, "cold": 0}


def opt_level(module: ModuleText, options: Options) -> int:
    """The level of optimisation that was asked for: of its function, or of everything."""
    return options.effective_opt_level if module.opt_level is None else module.opt_level


def level_of(module: ModuleText, options: Options) -> int:
    """The level of code generation for one module."""
    return min(opt_level(module, options), LEVELS[module.level])


def optimised(module: ModuleText, options: Options) -> binding.ModuleRef:
    """The LLVM module that code is generated from."""
    b = llvm()
    parsed = b.parse_assembly(module.text)
    parsed.triple = b.get_process_triple()
    asked = opt_level(module, options)
    quick = module.level == "cold" or not asked
    machine = target_machine(level_of(module, options), options.cpu)
    if not quick:
        parsed.data_layout = str(machine.target_data)
    if module.inlined:
        parsed.link_in(b.parse_assembly(hot_ir(running_python(), module.inlined)))
    if quick and not module.expands:
        return parsed
    tuning = b.create_pipeline_tuning_options(speed_level=3 if asked >= 2 else 1)
    tuning.loop_vectorization = tuning.slp_vectorization = asked >= 2
    builder = b.create_pass_builder(machine, tuning)
    if quick:
        passes = b.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
    else:
        passes = builder.getModulePassManager() if module.level == "hot" else short_pipeline(b)
    passes.run(parsed, builder)
    return parsed


def short_pipeline(b: Any) -> Any:
    """What makes general code decent for a tenth of the whole pipeline's time: inlining, registers, local
    simplification."""
    passes = b.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    return passes


def object_of(module: ModuleText, options: Options) -> bytes:
    """The object file of one module."""
    level = level_of(module, options)
    code: bytes = target_machine(level, options.cpu).emit_object(optimised(module, options))
    return code


def object_key(module: ModuleText, options: Options, backend: str) -> str:
    """Everything the object depends on."""
    return fingerprint(module.text, module.level, module.opt_level, options, backend, running_python())


def assembly_of(module: ModuleText, options: Options) -> str:
    level = level_of(module, options)
    text: str = target_machine(level, options.cpu).emit_assembly(optimised(module, options))
    return text
