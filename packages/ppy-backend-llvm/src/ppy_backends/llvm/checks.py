"""Whether native IR is well formed: what the text writer and LLVM take for granted.

Takes a unit; gives one finding per fault, naming operation and function: blocks that end where they must, slots used
with their type, calls that agree with the support library's table and with the functions of the unit. A finding is a
fault of lowering or of a plugin's pass, never of the user's program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ppy_backends.llvm.support import Signature, symbols
from ppy_backends.llvm.text import WRITERS, type_text
from ppy_compiler.backends.interface import Unit
from ppy_compiler.dialects import cf, func, mem
from ppy_compiler.ir import Operation, Trait, Type, Value

PAIRS = {"i64r": ("i64", "i64"), "f64r": ("double", "i64"), "void": ()}
"""Results of the support library that are structs, or nothing."""
RESULTS = {"i32": ("i32",), "i64": ("i64",), "f64": ("double",), "ptr": ("ptr",), **PAIRS}


def faults(unit: Unit) -> Iterator[str]:
    """All findings, in the order of the unit."""
    functions = {op.sym: op for op in unit.module.regions[0].entry.ops if isinstance(op, func.Func)}
    for function in functions.values():
        for text in _function_faults(function, functions):
            yield f"{text} in {function.sym}"


def _function_faults(function: func.Func, functions: dict[str, func.Func]) -> Iterator[str]:
    blocks = set(function.body.blocks)
    for block in function.body.blocks:
        if not block.ops or not block.ops[-1].has_trait(Trait.TERMINATOR):
            yield "a block without an end"
        for op in block.ops:
            if type(op) not in WRITERS:
                yield f"{op.name} cannot be written"
                continue
            if op.has_trait(Trait.TERMINATOR) and op is not block.ops[-1]:
                yield f"{op.name} in the middle of a block"
            if any(edge.block not in blocks for edge in op.edges()):
                yield f"{op.name} goes to another function"
            yield from _op_faults(op, function, functions)


def _op_faults(op: Operation, function: func.Func, functions: dict[str, func.Func]) -> Iterator[str]:
    if isinstance(op, (mem.Get, mem.Set)):
        element = op.slot.type.parameters[0] if op.slot.type.name == "slot" else None
        if not isinstance(element, Type) or type_text(element) != type_text(op.value.type):
            yield f"{op.name} of {op.value.type} and a {op.slot.type}"
    elif isinstance(op, func.Return):
        if _texts(op.values) != tuple(type_text(t) for t in function.returns):
            yield f"{op.name} of other types than declared"
    elif isinstance(op, cf.CondBr):
        if type_text(op.condition.type) != "i1":
            yield f"{op.name} on {op.condition.type}"
    elif isinstance(op, func.Call):
        target = functions.get(op.callee)
        if target is not None:
            yield from _inner_call_faults(op, target)
        elif op.callee in symbols():
            yield from _library_call_faults(op, symbols()[op.callee])
        elif op.callee.startswith(("ppy_", "Py", "_Py")):
            yield f"{op.name} of {op.callee}, which the support library lacks"


def _inner_call_faults(op: func.Call, target: func.Func) -> Iterator[str]:
    if op.convention != target.convention:
        yield f"{op.name} of {op.callee} under another convention"
    if _texts(op.args) != _texts(target.body.entry.args):
        yield f"{op.name} of {op.callee} with other arguments"
    if _texts(op.values) != tuple(type_text(t) for t in target.returns):
        yield f"{op.name} of {op.callee} for other results"


def _library_call_faults(op: func.Call, signature: Signature) -> Iterator[str]:
    wanted = tuple(text for parameter in signature.parameters for text in RESULTS[parameter.type])
    if _texts(op.args) != wanted:
        yield f"{op.name} of {op.callee} with {_texts(op.args)} for {wanted}"
    if op.values and _texts(op.values) != RESULTS[signature.result]:
        yield f"{op.name} of {op.callee} for {_texts(op.values)} where it gives {RESULTS[signature.result]}"


def _texts(values: Iterable[Value] | Sequence[Value]) -> tuple[str, ...]:
    return tuple(type_text(value.type) for value in values)
