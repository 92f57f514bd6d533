"""The native support library: its signature table, its code per Python, and the shared library made of it.

Takes the generated files beside it; guarantees one table of functions, structures and constants for lowering, and a
loadable library without any C compiler; leaves loading it into a process to the runtime.
"""

from __future__ import annotations

from .library import (
    UnsupportedTarget,
    build_support,
    hot_functions,
    hot_ir,
    running_python,
    support_key,
    support_object,
    support_objects,
)
from .signatures import LLVM_TYPES, Parameter, Signature, symbols

__all__ = [
    "LLVM_TYPES",
    "Parameter",
    "Signature",
    "UnsupportedTarget",
    "build_support",
    "hot_functions",
    "hot_ir",
    "running_python",
    "support_key",
    "support_object",
    "support_objects",
    "symbols",
]
