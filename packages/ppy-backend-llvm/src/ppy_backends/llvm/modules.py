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


@dataclass(frozen=True, slots=True)
class ModuleText:
    """One LLVM module: ``hot`` ones are optimised with the support library's functions ``inlined`` in them."""

    name: str
    hot: bool
    text: str
    inlined: frozenset[str] = frozenset()


def unit_modules(unit: Unit) -> list[ModuleText]:
    """All modules of ``unit``, in a fixed order."""
    block = unit.module.regions[0].entry
    groups: dict[tuple[str, bool], list[func.Func]] = {}
    data: dict[str, list[func.Bytes]] = {}
    texts: list[ModuleText] = []
    for op in block.ops:
        if isinstance(op, func.Func):
            groups.setdefault((op.source, not op.cold), []).append(op)
        elif isinstance(op, func.Bytes):
            data.setdefault(op.source, []).append(op)
        elif isinstance(op, func.Unit):
            texts.append(ModuleText("unit", False, unit_text(op)))
    for (source, hot), ops in groups.items():
        beside = data.get(source, []) if hot else []
        texts.append(_module(f"{source or 'helpers'}.{'hot' if hot else 'cold'}", hot, ops, beside))
    return texts


def _module(name: str, hot: bool, ops: list[func.Func], data: list[func.Bytes]) -> ModuleText:
    references = References()
    bodies = [*map(bytes_text, data), *(FunctionText(op, references).write() for op in ops)]
    declarations = references.declarations({*(op.sym for op in ops), *(op.sym for op in data)})
    inlined = hot_functions(running_python()) & references.functions.keys()
    return ModuleText(name, hot, declarations + "\n".join(bodies) + PROFILE, inlined)
