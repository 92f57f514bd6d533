"""The contracts of ``pure``, ``native(require=True)`` and ``parallel``."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Label
from ppy_compiler.diagnostics.codes import contracts as codes
from ppy_compiler.diagnostics.codes import threads
from ppy_compiler.dialects.py.containers import BuildDict, BuildList, BuildSet
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.names import DelGlobal, StoreGlobal
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.checker import directives
from ppy_compiler.infer.checker.context import Context
from ppy_compiler.infer.checker.remarks import remark_of
from ppy_compiler.infer.origins import origin
from ppy_compiler.infer.parallel import Refusal, decide, is_parallel
from ppy_compiler.infer.results import FunctionFacts
from ppy_compiler.ir import Operation, OpResult, Value


def check_function(function: FunctionFacts, context: Context) -> None:
    func = function.func
    directives.check_function(func, context)
    if any(name == "pure" for name, _ in func.directives):
        _pure(function, context)
    if ("native", (("require", "True"),)) in func.directives:
        _native(function, context)
    if is_parallel(function):
        _parallel(function, context)


# ---- pure


def _pure(function: FunctionFacts, context: Context) -> None:
    cause = _impurity(function, context, frozenset())
    if cause is None:
        return
    op, effect, chain = cause
    labels = (Label(op.span, effect),) if op.span is not None and not chain else ()
    notes = tuple(f"`{caller}()` calls `{callee}()`" for caller, callee in chain)
    func = function.func
    place = chain and _call_of(function, chain[0][1], context)
    span = place.span if isinstance(place, Operation) else op.span
    context.report(codes.IMPURE, span, func.qualname, labels, notes, function=f"{func.qualname}()", effect=effect)


Cause = tuple[Operation, str, tuple[tuple[str, str], ...]]


def _impurity(function: FunctionFacts, context: Context, seen: frozenset[str]) -> Cause | None:
    """The first operation with a definite effect, and the calls that lead to it."""
    for block in function.func.body.blocks:
        if block not in function.reachable:
            continue
        for op in block.ops:
            target = function.calls.get(op)
            if target is not None and target.kind == "function" and target.name not in seen:
                callee = context.facts.functions[target.name]
                inner = _impurity(callee, context, seen | {function.sym})
                if inner is not None:
                    step = (function.func.qualname, callee.func.qualname)
                    return inner[0], inner[1], (step, *inner[2])
            effect = _definite(op, function, context)
            if effect:
                return op, effect, ()
    return None


def _call_of(function: FunctionFacts, callee: str, context: Context) -> Operation | None:
    for op, target in function.calls.items():
        if target.kind == "function" and context.facts.functions[target.name].func.qualname == callee:
            return op
    return None


def _definite(op: Operation, function: FunctionFacts, context: Context) -> str:
    bits = function.op_effects.get(op, 0)
    if isinstance(op, (StoreGlobal, DelGlobal)):
        return f"it assigns the global `{op.var}`"
    target = function.calls.get(op)
    plugged = function.plugged.get(op)
    if plugged is not None and plugged.model.effects.writes:
        return f"it calls `{context.text_of(op.operands[0])}()`, which has effects"
    if target is not None and target.kind == "model":
        short = target.name.removeprefix("builtins.")
        if bits & fx.IO:
            return f"it calls `{short}()`, which does input or output"
        if bits & fx.WRITES and not _local(op.operands[1] if len(op.operands) > 1 else None):
            return f"it calls `{short}()`, which changes `{context.text_of(origin(op.operands[1]))}`"
    elif op.name in ("py.setitem", "py.delitem", "py.setattr", "py.delattr") and not _local(op.operands[0]):
        return f"it changes `{context.text_of(op.operands[0])}`"
    return ""


def _local(value: Value | None) -> bool:
    """Whether the object was made in this very function."""
    if value is not None:
        value = origin(value)
    if not isinstance(value, OpResult):
        return False
    return isinstance(value.op, (BuildList, BuildDict, BuildSet)) or value.op.name in ("py.binary", "py.call")


# ---- native(require=True)


def _native(function: FunctionFacts, context: Context) -> None:
    func = function.func
    if func.native:
        diagnostic = remark_of(func.native, function, func, context)
        if diagnostic is not None:
            reason = diagnostic.message.partition("it contains ")[2] or diagnostic.message
            context.report(
                codes.NATIVE_REQUIRED,
                func.span,
                func.qualname,
                function=f"{func.qualname}()",
                reason=f"it contains {reason}",
                remedy=diagnostic.help,
            )
        return
    for op, code in function.op_notes.items():
        diagnostic = remark_of(code, function, op, context)
        if diagnostic is not None:
            context.report(
                codes.NATIVE_REQUIRED,
                op.span,
                func.qualname,
                function=f"{func.qualname}()",
                reason=diagnostic.message,
                remedy=diagnostic.help,
            )


# ---- parallel


def _parallel(function: FunctionFacts, context: Context) -> None:
    func = function.func
    require = ("parallel", (("require", "True"),)) in func.directives
    if func.native:
        if require:
            _one_thread(Refusal("it runs as Python", "see the remark about it", func), func, True, context)
        return
    said: set[Operation] = set()
    for version in context.facts.versions(function.sym):
        outcomes = decide(version, context.facts)
        eligible = [loop for loop, outcome in outcomes if not isinstance(outcome, Refusal)]
        for loop, outcome in outcomes:
            if isinstance(outcome, Refusal) and loop.begin not in said:
                said.add(loop.begin)
                inner = any(other.blocks < loop.blocks for other in eligible)
                placed = Refusal(outcome.reason, outcome.remedy, outcome.op or loop.begin)
                _one_thread(placed, func, require and not inner, context)
        if not outcomes:
            nothing = Refusal("there is no loop over `range` in it", "write the loop so", func)
            _one_thread(nothing, func, require, context)


def _one_thread(refusal: Refusal, func: Func, require: bool, context: Context) -> None:
    span, name = refusal.op.span if refusal.op is not None else func.span, func.qualname
    reason, remedy = refusal.reason, refusal.remedy
    if require:
        context.report(codes.PARALLEL_REQUIRED, span, name, function=f"{name}()", reason=reason, remedy=remedy)
    else:
        context.report(threads.ONE_THREAD, span, name, reason=reason, remedy=remedy)
