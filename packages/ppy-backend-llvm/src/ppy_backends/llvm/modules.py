"""Which LLVM modules a unit becomes: per Python function a *hot* one, optimised, and a *cold* one, compiled fast;
and one of data.

One edit changes the text of the modules of one function, so everything else comes back from the object store.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppy_backends.llvm.data import bytes_text, unit_text
from ppy_backends.llvm.support import hot_functions, running_python
from ppy_backends.llvm.text import PROFILE, FunctionText, References
from ppy_compiler.backends.interface import Unit
from ppy_compiler.dialects import func

OUT_OF_LINE = frozenset(
    {
        "ppy_frame_enter",
        "ppy_global_load",
        "ppy_truth",
        "ppy_compare_truth",
        "ppy_push_exc",
        "ppy_pop_exc",
        "ppy_cell_load",
        "ppy_cell_store",
    }
)
"""Inline functions that cost more compile time than they save: what they stand beside is a call anyway."""
LEVELS = {"loops": "warm", "valid": "hot", "entry": "hot", "fast": "hot"}
"""How much work a function's role is worth; everything else is cold."""


@dataclass(frozen=True, slots=True)
class ModuleText:
    """One LLVM module. ``level``: ``hot`` (the whole pipeline), ``warm`` (a short one), ``cold`` (none); the support
    library's functions
    ``inlined`` go into the first two."""

    name: str
    level: str
    text: str
    inlined: frozenset[str] = frozenset()


def unit_modules(unit: Unit) -> list[ModuleText]:
    """All modules of ``unit``, in a fixed order."""
    block = unit.module.regions[0].entry
    groups: dict[tuple[str, str], list[func.Func]] = {}
    data: dict[str, list[func.Bytes]] = {}
    texts: list[ModuleText] = []
    for op in block.ops:
        if isinstance(op, func.Func):
            groups.setdefault((op.source, _level(op)), []).append(op)
        elif isinstance(op, func.Bytes):
            data.setdefault(op.source, []).append(op)
        elif isinstance(op, func.Unit):
            texts.append(ModuleText("unit", "cold", unit_text(op)))
    for (source, level), ops in groups.items():
        beside = data.get(source, []) if level != "cold" else []
        texts.append(_module(f"{source or 'helpers'}.{level}", level, ops, beside))
    return texts


def _level(op: func.Func) -> str:
    return "cold" if op.cold else "warm" if op.plain else LEVELS[op.role]


def _module(name: str, level: str, ops: list[func.Func], data: list[func.Bytes]) -> ModuleText:
    references = References()
    bodies = [*map(bytes_text, data), *(FunctionText(op, references).write() for op in ops)]
    declarations = references.declarations({*(op.sym for op in ops), *(op.sym for op in data)})
    inlined = hot_functions(running_python()) & references.functions.keys() - OUT_OF_LINE
    return ModuleText(name, level, declarations + "\n".join(bodies) + PROFILE, inlined)
