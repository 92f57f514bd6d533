"""Which facts an error may rest on.

Inference types what comes out of a container from what it saw going in, an unannotated parameter from the calls it
saw, a rebound global from
the module's own stores: good guesses that lowering guards, but another module may do otherwise. Such values, and what
is computed from
them, are uncertain; proven types and declared ones are not.
"""

from __future__ import annotations

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py.functions import Return
from ppy_compiler.dialects.py.names import Annotated, CheckBound, LoadCell, LoadGlobal
from ppy_compiler.dialects.py.operators import GetAttr
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import CONTAINER
from ppy_compiler.infer.facts import OBJECT
from ppy_compiler.infer.results import FunctionFacts, ModuleFacts
from ppy_compiler.ir import BlockArgument, Operation, OpResult, Successor, Value


def uncertain_values(facts: ModuleFacts) -> frozenset[Value]:
    """All values of the module whose facts are guesses."""
    found: dict[Value, None] = {}
    functions: set[str] = set()
    while True:
        before = len(functions)
        for function in facts.functions.values():
            _spread(function, found, functions)
        if len(functions) == before:
            return frozenset(found)


def _spread(function: FunctionFacts, found: dict[Value, None], functions: set[str]) -> None:
    waiting = [value for value in _sources(function, functions) if value not in found]
    found.update(dict.fromkeys(waiting))
    while waiting:
        value = waiting.pop()
        for use in value.uses:
            user = use.user
            if isinstance(user, Successor):
                offset = 1 if user.op is not None and user.op.unwind is user else 0
                reached: list[Value] = [user.block.args[use.slot + offset]]
            elif isinstance(user, Return):
                if "return" not in dict(function.func.annotations):
                    functions.add(function.sym)
                continue
            elif isinstance(user, Annotated) and annotation_fact(user.annotation) is not OBJECT:
                continue
            elif isinstance(user, Operation) and not isinstance(user, cf.CondBr):
                reached = list(user.results)
            else:
                continue
            for other in reached:
                if other not in found:
                    found[other] = None
                    waiting.append(other)


def _sources(function: FunctionFacts, functions: set[str]) -> list[Value]:
    annotated = {name for name, _ in function.func.annotations}
    sources: list[Value] = [
        arg
        for arg, name in zip(function.func.body.entry.args, function.func.params, strict=True)
        if name not in annotated
    ]
    for block in function.reachable:
        for op in block.ops:
            target = function.calls.get(op)
            if target is not None and target.kind == "function":
                if target.name in functions:
                    sources += op.results
            elif isinstance(op, (LoadGlobal, LoadCell, GetAttr)):
                fact = function.values.get(op.results[0])
                if fact is not None and fact.guarded:
                    sources += op.results
            elif not isinstance(op, (Annotated, CheckBound)) and _guessed(op, function):
                sources += op.results
    return sources


def _guessed(op: Operation, function: FunctionFacts) -> bool:
    """Whether the operation takes something out of a container whose element type nobody declared."""
    if not any(
        (fact := function.values.get(result)) is not None and (fact.guarded or fact.types & CONTAINER)
        for result in op.results
    ):
        return False
    holders = [
        value for value in op.operands if (fact := function.values.get(value)) is not None and fact.types & CONTAINER
    ]
    return any(not _declared(holder, function) for holder in holders)


def _declared(value: Value, function: FunctionFacts) -> bool:
    """Whether a container's type comes from an annotation."""
    if isinstance(value, OpResult):
        if isinstance(value.op, CheckBound):
            return _declared(value.op.argument, function)
        if value.op.name == "py.iter":
            return _declared(value.op.operands[0], function)
        return isinstance(value.op, Annotated)
    return isinstance(value, BlockArgument) and value.block is function.func.body.entry
