"""What lowering knows about a support or C-API function: its types, who owns what, how it reports failure.

The table itself is generated from the C header (``tools/native/generate.py``); this module only gives its rows a
shape.  Nothing here imports llvmlite.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

LLVM_TYPES: Final = {
    "void": "void",
    "i32": "i32",
    "i64": "i64",
    "f64": "double",
    "ptr": "ptr",
    "i64r": "{ i64, i64 }",
    "f64r": "{ double, i64 }",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name in the header, its type, and whether the callee takes over the reference."""

    name: str
    type: str
    stolen: bool


@dataclass(frozen=True, slots=True)
class Signature:
    """One function. ``place`` is ``hot`` (inlined), ``cold`` (the support library) or ``capi`` (CPython's own);
    ``convention`` is one of the words that the header explains."""

    name: str
    place: str
    convention: str
    result: str
    parameters: tuple[Parameter, ...]

    def llvm_declaration(self) -> str:
        """The ``declare`` line of this function in LLVM IR."""
        types = ", ".join(LLVM_TYPES[parameter.type] for parameter in self.parameters)
        return f"declare {LLVM_TYPES[self.result]} @{self.name}({types})"


@cache
def symbols() -> dict[str, Signature]:
    """Every function that emitted code may call, by name."""
    from .generated_signatures import FUNCTIONS

    return {
        name: Signature(name, place, convention, result, tuple(Parameter(*row) for row in parameters))
        for name, place, convention, result, parameters in FUNCTIONS
    }
