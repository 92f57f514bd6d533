"""Remarks: why functions run as Python and why operations stay general."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import find
from ppy_compiler.dialects.py import names
from ppy_compiler.dialects.py.containers import BuildTuple
from ppy_compiler.dialects.py.functions import Func, MakeFunction
from ppy_compiler.dialects.py.iteration import Iter, Next
from ppy_compiler.dialects.py.operators import Binary, GetAttr, GetItem, SetItem
from ppy_compiler.infer import reasons
from ppy_compiler.infer.atoms import ANY_OBJECT, EXTERNAL, INTEGER, NONE, NULL, NUMBER, OTHER, atoms_of
from ppy_compiler.infer.checker.context import Context, shown
from ppy_compiler.infer.exchange import number_of
from ppy_compiler.infer.facts import NEVER, Fact
from ppy_compiler.infer.results import FunctionFacts, PluggedOperation
from ppy_compiler.infer.trees import find_trees
from ppy_compiler.ir import BlockArgument, Operation, OpResult, Value
from ppy_compiler.models import lookup
from ppy_compiler.plugins.specs import ElementwiseSpec, FallbackSpec, SumSpec

OPERATIONS = {
    "py.iter": "iterating",
    "py.next": "iterating",
    "py.getitem": "the subscript",
    "py.setitem": "storing an item",
    "py.delitem": "deleting an item",
    "py.truth": "the truth test",
    "py.contains": "`in`",
    "py.range_begin": "iterating",
    "py.range_next": "iterating",
}


def collect(context: Context) -> None:
    """All remarks about the module."""
    for function in context.facts.functions.values():
        if function.func.kind in ("class", "typeparams") and "<locals>" not in function.func.qualname:
            continue  # runs once, when the module is loaded
        if function.func.native:
            _add(remark_of(function.func.native, function, function.func, context), context)
            continue
        _collect_versions(context.facts.versions(function.sym), context)


def _collect_versions(versions: tuple[FunctionFacts, ...], context: Context) -> None:
    """The remarks about one function: each once, by the first version that it is true of."""
    said: set[tuple[Operation | Value, str]] = set()
    for version in versions:
        unsaid = {op for tree in find_trees(version.func.body, version.plugged) for op in tree.ops}
        unsaid |= {op for op in version.op_notes if _said_elsewhere(op, version) or _in_annotation(op)}
        for op, code in version.op_notes.items():
            if op not in unsaid and (op, code) not in said:
                said.add((op, code))
                _add(remark_of(code, version, op, context), context)
        for value in _mixed_variables(version):
            if (value, reasons.MIXED) not in said:
                said.add((value, reasons.MIXED))
                _add(_mixed_variable(value, version, context), context)


def _said_elsewhere(op: Operation, function: FunctionFacts) -> bool:
    """A step of a loop whose `iter()` has a remark."""
    return (
        isinstance(op, Next)
        and isinstance(op.iterator, OpResult)
        and isinstance(op.iterator.op, Iter)
        and op.iterator.op in function.op_notes
    )


def _in_annotation(op: Operation) -> bool:
    """Whether the results are only used to make an annotation, which is evaluated once."""
    users = [use.user for result in op.results for use in result.uses if not isinstance(use.user, names.Drop)]
    return bool(users) and all(_annotates(user, op) for user in users)


def _annotates(user: object, op: Operation) -> bool:
    match user:
        case MakeFunction():
            return user.annotations in op.results
        case SetItem():
            mapping = user.object
            return isinstance(mapping, OpResult) and mapping.op.attributes.get("var") == "__annotations__"
        case BuildTuple() | GetItem() | GetAttr() | Binary():
            return _in_annotation(user)
    return False


def _add(diagnostic: Diagnostic | None, context: Context) -> None:
    if diagnostic is not None:
        context.found[diagnostic] = None


def remark_of(code: str, function: FunctionFacts, op: Operation, context: Context) -> Diagnostic | None:
    """The diagnostic for one reason; ``None`` for operations that are nobody's text."""
    declared = find(code)
    if isinstance(op, Func):
        return declared.at(context.module.path, op.span, subject=op.qualname, function=op.qualname)
    if op.span is None:
        return None
    return declared.at(
        context.module.path, op.span, subject=function.func.qualname, **FIELDS[code](op, function, context)
    )


def _operation(op: Operation) -> str:
    kind = op.attributes.get("kind")
    return f"`{kind}`" if isinstance(kind, str) else OPERATIONS.get(op.name, op.name.removeprefix("py."))


def _fact(value: Value, function: FunctionFacts, op: Operation) -> Fact:
    if value not in function.values:
        return NEVER
    return function.at(value, op.parent) if op.parent is not None else function.values[value]


def _culprit(op: Operation, function: FunctionFacts) -> Value:
    """The operand that keeps the operation general: the first whose type is least known."""
    return max(op.operands, key=lambda value: len(atoms_of(_fact(value, function, op).types)))


def _unproven(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    value = _culprit(op, function)
    name, fact = context.text_of(value), _fact(value, function, op)
    remedy = _remedy(value, name, fact, function)
    return {"operation": _operation(op), "value": name, "type": shown(fact), "remedy": remedy}


def _remedy(value: Value, name: str, fact: Fact, function: FunctionFacts) -> str:
    """What could make the type of an operand known, or that nothing would help."""
    if fact.types and not fact.types & (fact.types - 1):
        return "no faster form takes this type; keep it out of the innermost loop"
    if function.func.qualname.endswith("comp>"):
        return "write the comprehension as a loop"
    if value.hint in dict(function.func.annotations):
        return "its annotation names no type that native code knows: an alias is not followed"
    if value.hint in function.func.locals:
        return f"annotate `{value.hint}`"
    if isinstance(value, OpResult) and isinstance(value.op, Next):
        return "annotate what the loop goes through"
    return "give the value to a variable with an annotation, and use that"


def _call(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    target = function.calls.get(op)
    callee = op.operands[0]
    name = context.text_of(callee)
    plugged = function.plugged.get(op)
    reason = "PPY has no model of it" if plugged is None else _left(plugged)
    if target is not None and target.kind == "model":
        entry = lookup(target.name)
        name = target.name.removeprefix("builtins.")
        reason = entry.signatures[target.overload].target if entry is not None else reason
    elif target is not None:
        reason = "it runs as Python"
    return {"callee": name, "reason": reason}


def _left(plugged: PluggedOperation) -> str:
    """Why an operation that a plugin knows is left to CPython."""
    match plugged.model.lowering:
        case FallbackSpec(reason=reason):
            return reason
        case None:
            return "its plugin knows what it gives, but no native form"
        case ElementwiseSpec() | SumSpec():
            return "there is nothing around it that it could be computed together with"
    return "what it is given is not what its native form takes"


def _library(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    owner = next((v for v in op.operands if _fact(v, function, op).types == EXTERNAL), op.operands[0])
    name = op.attributes.get("attribute")
    operation = f"`.{name}`" if isinstance(name, str) else _operation(op)
    return {"operation": operation, "type": shown(_fact(owner, function, op)), "reason": _left(function.plugged[op])}


def _attribute(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    return {"name": op.attributes["attribute"], "type": shown(_fact(op.operands[0], function, op))}


def _big(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    big = next(
        (v for v in op.operands if _fact(v, function, op).only(INTEGER) and not _fact(v, function, op).fits_word),
        op.results[0],
    )
    return {"operation": _operation(op), "value": context.text_of(big)}


def _mixed(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    value = _culprit(op, function)
    return {"name": context.text_of(value), "types": shown(_fact(value, function, op))}


def _no_form(op: Operation, function: FunctionFacts, context: Context) -> dict[str, Any]:
    return {"operation": _operation(op), "type": shown(_fact(op.operands[0], function, op))}


FIELDS: dict[str, Callable[[Operation, FunctionFacts, Context], dict[str, Any]]] = {
    reasons.UNPROVEN: _unproven,
    reasons.UNMODELLED: _call,
    reasons.ATTRIBUTE: _attribute,
    reasons.BIG: _big,
    reasons.MIXED: _mixed,
    reasons.NO_NATIVE_FORM: _no_form,
    reasons.LIBRARY: _library,
}


def _mixed_variables(function: FunctionFacts) -> Iterator[BlockArgument]:
    """Variables that hold a number on one path and something else on another."""
    for block in function.func.body.blocks:
        if block not in function.reachable or block is function.func.body.entry:
            continue
        for arg in block.args:
            types = function.values.get(arg, NEVER).types & ~(NONE | NULL)
            if (
                arg.hint
                and types & NUMBER
                and types & (types - 1)
                and not types & OTHER
                and types & ANY_OBJECT != ANY_OBJECT
                and not number_of(function.values[arg])
            ):
                yield arg


def _mixed_variable(value: BlockArgument, function: FunctionFacts, context: Context) -> Diagnostic | None:
    span = next((op.span for op in value.block.ops if op.span is not None), function.func.span)
    return find(reasons.MIXED).at(
        context.module.path,
        span,
        subject=function.func.qualname,
        name=value.hint,
        types=shown(function.values[value]),
    )
