"""The support library as tests call it: every function of the header through ctypes, from the generated code.

``PPY_SUPPORT_BUILD=compiled`` tests the C sources built by the system's compiler instead, with the further flags in
``PPY_SUPPORT_CFLAGS``, for debuggers and sanitizers (the address sanitizer's library must then be preloaded).
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ppy_backends.llvm.support import build_support, hot_functions, hot_ir, running_python, symbols

NATIVE = Path(__file__).resolve().parents[2] / "native"


class Word(ctypes.Structure):
    """``ppy_i64r``"""

    _fields_ = (("value", ctypes.c_int64), ("ok", ctypes.c_int64))


class Real(ctypes.Structure):
    """``ppy_f64r``"""

    _fields_ = (("value", ctypes.c_double), ("ok", ctypes.c_int64))


TYPES: dict[str, Any] = {
    "void": None,
    "i32": ctypes.c_int,
    "i64": ctypes.c_int64,
    "f64": ctypes.c_double,
    "ptr": ctypes.py_object,
    "i64r": Word,
    "f64r": Real,
}
#: Pointers that are not objects, by parameter name.
ADDRESSES = frozenset(
    {
        "ctx",
        "act",
        "fn",
        "unit",
        "out",
        "match",
        "rest",
        "items",
        "parts",
        "args",
        "tramp",
        "arg",
        "keys_and_values",
        "method",
        "cache",
    }
)
#: Addresses under a name that is elsewhere an object's.
MORE_ADDRESSES = frozenset({("ppy_with_enter", "exit"), ("ppy_cgroup_cpus", "root")})


def compile_c(sources: list[Path], output: Path, *flags: str) -> None:
    """Builds a shared library from C with the running Python's headers."""
    include = sysconfig.get_path("include")
    command = [
        "cc",
        *"-O1 -g -std=gnu11 -fPIC -fwrapv -shared -fno-semantic-interposition -fno-strict-aliasing -w".split(" "),
    ]
    flags = (*flags, *os.environ.get("PPY_SUPPORT_CFLAGS", "").split())
    subprocess.run([*command, f"-I{include}", f"-I{NATIVE}", *flags, *map(str, sources), "-o", str(output)], check=True)


@cache
def directory() -> Path:
    """Where this process's libraries are built; removed at exit by the operating system's rules for temporary files."""
    return Path(tempfile.mkdtemp(prefix="ppy-support-test-"))


def _hot_library() -> Path:
    """The inlined functions, as callable ones."""
    import llvmlite.binding as llvm
    from ppy_compiler.backends.linkers import link_shared

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    python = running_python()
    text = hot_ir(python, hot_functions(python)).replace("define linkonce_odr hidden ", "define ")
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(opt=2, reloc="pic", codemodel="default")
    module = llvm.parse_assembly(
        f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n' + text
    )
    module.verify()
    made, shared = directory() / "hot.o", directory() / "hot.so"
    made.write_bytes(machine.emit_object(module))
    link_shared([made], shared)
    return shared


@cache
def libraries() -> tuple[ctypes.PyDLL, ctypes.PyDLL]:
    """The support library and the inlined functions, loaded once per process and checked."""
    if os.environ.get("PPY_SUPPORT_BUILD") == "compiled":
        cold_path, hot_path = directory() / "support.so", directory() / "hot.so"
        compile_c([NATIVE / "calls.c", NATIVE / "support.c"], cold_path, "-lm")
        compile_c([NATIVE / "hot.c"], hot_path, "-lm")
    else:
        cold_path, hot_path = build_support(directory()), _hot_library()
    cold = ctypes.PyDLL(str(cold_path), mode=ctypes.RTLD_GLOBAL)
    if cold.ppy_support_check() != 0:
        cold.ppy_support_reason.restype = ctypes.c_char_p
        raise RuntimeError(cold.ppy_support_reason().decode())
    return cold, ctypes.PyDLL(str(hot_path), mode=ctypes.RTLD_GLOBAL)


@cache
def function(name: str) -> Any:
    """One support function with its types from the signature table."""
    signature = symbols()[name]
    cold, hot = libraries()
    return ctypes.PYFUNCTYPE(_result(signature), *(_parameter(name, p.name, p.type) for p in signature.parameters))(
        (name, hot if signature.place == "hot" else cold)
    )


def _result(signature: Any) -> Any:
    if signature.convention == "BORROWED" or signature.name in ("ppy_ctx_get", "ppy_ctx_find", "ppy_support_reason"):
        return ctypes.c_void_p
    return TYPES[signature.result]


def _parameter(owner: str, name: str, kind: str) -> Any:
    address = kind == "ptr" and (name in ADDRESSES or (owner, name) in MORE_ADDRESSES)
    return ctypes.c_void_p if address else TYPES[kind]


def objects(*values: object) -> Any:
    """An array of borrowed object pointers."""
    made: Any = ctypes.py_object * len(values)
    return made(*values)


def context() -> int:
    """The calling thread's context."""
    address: int = function("ppy_ctx_get")()
    return address


if sys.platform != "linux":
    raise RuntimeError("the support library is tested on Linux")
