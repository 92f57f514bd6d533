"""What a module binds: a look over all its functions before their analysis, and the builtins it does not bind."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppy_compiler.dialects.py.functions import Func, MakeFunction
from ppy_compiler.dialects.py.imports import ImportFrom, ImportName
from ppy_compiler.dialects.py.names import DelGlobal, LoadGlobal, StoreGlobal
from ppy_compiler.dialects.py.operators import SetAttr
from ppy_compiler.infer.atoms import BUILTIN, CLASS
from ppy_compiler.infer.facts import OBJECT, Fact, named
from ppy_compiler.infer.origins import definition
from ppy_compiler.ir import Block, Operation
from ppy_compiler.models import lookup
from ppy_compiler.support.graphs import strongly_connected

MODULE_BODY = "<module>"


@dataclass(frozen=True, slots=True)
class Bindings:
    """The names a module gives a meaning to."""

    written: frozenset[str]
    """Globals that some function stores or deletes."""
    private: frozenset[str]
    """Those that only the module's body stores: nobody of the module can change them behind its back."""
    stable: frozenset[str]
    """Those with one single store, in the module's body and not in a loop."""
    shadowed: frozenset[str]
    """Those that are not imported: such a name is not the type of that name that annotations usually mean."""
    attributes: frozenset[str]
    """Attributes that the module stores into any object."""
    imported: Mapping[str, str]
    """Those that imports, and nothing else, bind: the dotted name that each was imported as."""


def bindings_of(funcs: Sequence[Func]) -> Bindings:
    """The bindings of the module made of ``funcs``."""
    writes: dict[str, list[tuple[str, Operation]]] = {}
    attributes: set[str] = set()
    for func in funcs:
        for block in func.body.blocks:
            for op in block.ops:
                if isinstance(op, (StoreGlobal, DelGlobal)):
                    writes.setdefault(op.var, []).append((func.sym, op))
                elif isinstance(op, SetAttr):
                    attributes.add(op.attribute)
    body = next((func for func in funcs if func.sym == MODULE_BODY), None)
    looping = _looping_blocks(body) if body is not None else set()
    private = {name for name, found in writes.items() if all(sym == MODULE_BODY for sym, _ in found)}
    stable = {
        name
        for name in private
        if len(writes[name]) == 1 and isinstance(op := writes[name][0][1], StoreGlobal) and op.parent not in looping
    }
    shadowed = {name for name, found in writes.items() if not any(_is_import(op) for _, op in found)}
    sources = {name: {_imported_as(op) for _, op in found} for name, found in writes.items()}
    imported = {name: found.pop() for name, found in sources.items() if len(found) == 1 and "" not in found}
    return Bindings(
        frozenset(writes), frozenset(private), frozenset(stable), frozenset(shadowed), frozenset(attributes), imported
    )


def callers_first(funcs: Sequence[Func]) -> list[Func]:
    """The functions in an order in which those that make another, or mention it by its global name, come before it."""
    by_name = {func.sym: func for func in funcs}

    def mentioned(func: Func) -> list[Func]:
        names = [
            op.var if isinstance(op, LoadGlobal) else op.func
            for block in func.body.blocks
            for op in block.ops
            if isinstance(op, (LoadGlobal, MakeFunction))
        ]
        return [by_name[name] for name in names if name in by_name]

    components = strongly_connected(list(reversed(funcs)), mentioned)
    return [func for component in reversed(components) for func in component]


def _is_import(op: Operation) -> bool:
    source = definition(op.value) if isinstance(op, StoreGlobal) else None
    return isinstance(source, (ImportFrom, ImportName))


def _imported_as(op: Operation) -> str:
    return _dotted(definition(op.value)) if isinstance(op, StoreGlobal) else ""


def _dotted(source: Operation | None) -> str:
    """The dotted name of what an import gives; empty for anything else."""
    if isinstance(source, ImportName) and source.level == 0:
        return source.module if source.fromlist else source.module.partition(".")[0]
    if isinstance(source, ImportFrom):
        outer = _dotted(definition(source.module))
        return f"{outer}.{source.var}" if outer else ""
    return ""


def _looping_blocks(func: Func) -> set[Block]:
    """Blocks that can run more than once."""
    looping: set[Block] = set()
    for component in strongly_connected(func.body.blocks, lambda block: [edge.block for edge in block.edges()]):
        if len(component) > 1 or any(edge.block is component[0] for edge in component[0].edges()):
            looping.update(component)
    return looping


def builtin_fact(name: str) -> Fact:
    """The builtin ``name``, under the guard that neither the module nor anyone else has rebound it."""
    depends = frozenset((name,))
    entry = lookup("typing.reveal_type" if name == "reveal_type" else f"builtins.{name}")
    if entry is not None and entry.kind in ("function", "class"):
        return named(CLASS if entry.kind == "class" else BUILTIN, entry.name, depends)
    if isinstance(getattr(builtins, name, None), type):
        return named(CLASS, f"builtins.{name}", depends)
    return OBJECT
