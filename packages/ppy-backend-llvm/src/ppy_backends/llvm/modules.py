"""Which LLVM modules a unit becomes: per Python function a *hot* one, optimised, and a *cold* one, compiled fast;
and one of data. A function that is expanded in place stands in each module that calls it.

One edit changes the text of the modules of one function, so everything else comes back from the object store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppy_backends.llvm.data import bytes_text, unit_text
from ppy_backends.llvm.support import hot_functions, running_python
from ppy_backends.llvm.text import PROFILE, SPACES, FunctionText, References
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
LADDER = {
    "fast": (("hot", 40_000), ("warm", 90_000), ("cool", None)),
    "loops": (("hot", 32_000), ("warm", 48_000), ("cool", None)),
    "arrays": (("hot", 250_000), ("warm", 400_000), ("cool", None)),
    "plain": (("warm", 20_000), ("cool", None)),
}
"""By what a module holds: the level it gets up to so many characters of text. More of the optimiser's time would not
be earned back."""


@dataclass(frozen=True, slots=True)
class ModuleText:
    """One LLVM module. ``level``: ``hot`` (the whole pipeline), ``warm`` (a short one, good code), ``cool`` (a short
    one, quick code), ``cold``
    (none); the support library's functions ``inlined`` go into the first three."""

    name: str
    level: str
    text: str
    inlined: frozenset[str] = frozenset()
    source: str = ""
    """The ``sym`` of the Python function it is part of, if it is."""
    opt_level: int | None = None
    """Where it is not that of the options."""
    expands: bool = False
    """Whether functions in it are expanded in place."""


def unit_modules(unit: Unit) -> list[ModuleText]:
    """All modules of ``unit``, in a fixed order."""
    block = unit.module.regions[0].entry
    groups: dict[tuple[str, str], list[func.Func]] = {}
    private: dict[str, func.Func | func.Bytes] = {}
    texts: list[ModuleText] = []
    for op in block.ops:
        if isinstance(op, func.Bytes) or (isinstance(op, func.Func) and op.inline == "always"):
            private[op.sym] = op
        elif isinstance(op, func.Func):
            groups.setdefault((op.source, _kind(op)), []).append(op)
        elif isinstance(op, func.Unit):
            texts.append(ModuleText("unit", "cold", unit_text(op)))
    for (source, kind), ops in groups.items():
        texts.append(_module(source, kind, ops, private))
    return texts


def _kind(op: func.Func) -> str:
    """Which module of its Python function a native function belongs to."""
    if op.cold or op.level == 0:
        return "cold"
    return "plain" if op.plain else "loops" if op.role == "loops" else "fast"


def _deserves(kind: str, bodies: list[str]) -> str:
    """Loops over arrays are worth more time: what is in their way to registers are the guards' many exits."""
    over_arrays = kind in ("fast", "loops") and any(SPACES["element"] in body for body in bodies)
    return "arrays" if over_arrays else kind


def _level(kind: str, size: int) -> str:
    steps = LADDER.get(kind, (("cold", None),))
    return next(level for level, limit in steps if limit is None or size <= limit)


def _module(source: str, kind: str, ops: list[func.Func], private: Mapping[str, func.Func | func.Bytes]) -> ModuleText:
    """``private``: what a module that refers to it has for itself."""
    references = References()
    bodies = [FunctionText(op, references).write() for op in ops]
    own: dict[str, func.Func | func.Bytes] = {}
    while found := [private[name] for name in references.names() if name in private and name not in own]:
        own.update((op.sym, op) for op in found)
        bodies += [FunctionText(op, references).write() for op in found if isinstance(op, func.Func)]
    data = [bytes_text(op) for op in own.values() if isinstance(op, func.Bytes)]
    declarations = references.declarations({*(op.sym for op in ops), *own})
    inlined = hot_functions(running_python()) & references.functions.keys() - OUT_OF_LINE
    level = _level(_deserves(kind, bodies), sum(map(len, bodies)))
    text = declarations + "\n".join([*data, *bodies]) + PROFILE
    expands = any(isinstance(op, func.Func) for op in own.values())
    return ModuleText(f"{source or 'helpers'}.{kind}", level, text, inlined, source, ops[0].level, expands)
