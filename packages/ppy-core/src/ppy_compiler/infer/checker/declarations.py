"""Annotations that are no types, refinements that fit nothing, defaults of another type."""

from __future__ import annotations

import ast

from ppy_compiler.diagnostics.codes.annotations import BAD_REFINEMENT, DEFAULT_TYPE, NOT_A_TYPE
from ppy_compiler.dialects.py.functions import MakeFunction
from ppy_compiler.dialects.py.names import Annotated
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import FLOAT, INT, OTHER
from ppy_compiler.infer.checker.calls import admits
from ppy_compiler.infer.checker.context import Context, View, shown
from ppy_compiler.infer.results import FunctionFacts
from ppy_compiler.ir import Operation
from ppy_compiler.support.spans import Span


def check_function(function: FunctionFacts, context: Context) -> None:
    """The annotations of parameters and result."""
    func = function.func
    if any(name == "reflective" for name, _ in func.directives):
        return
    for _, text in func.annotations:
        _check(text, func.span, func.qualname, context)


def declaration(op: Annotated, view: View) -> None:
    _check(op.annotation, op.span, view.function.func.qualname, view.context)


def _check(text: str, span: Span | None, subject: str, context: Context) -> None:
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex, bytes)):
        kind = type(node.value).__name__
        context.report(NOT_A_TYPE, span, subject, annotation=text, remedy=f"write the type: `{kind}`")
        return
    for inner in ast.walk(node):
        match inner:
            case ast.Subscript(
                value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"),
                slice=ast.Tuple(elts=[base, *refinements]),
            ):
                for refinement in refinements:
                    _refinement(ast.unparse(base), refinement, span, subject, context)


def _refinement(base: str, refinement: ast.expr, span: Span | None, subject: str, context: Context) -> None:
    match refinement:
        case ast.Call(
            func=ast.Name(id="Range") | ast.Attribute(value=ast.Name(id="ppy"), attr="Range"), args=[low, high]
        ):
            pass
        case _:
            return
    fact = annotation_fact(base)
    reason = ""
    if not fact.types & (INT | FLOAT | OTHER):
        reason = "only numbers have a range"
    else:
        try:
            lo, hi = ast.literal_eval(low), ast.literal_eval(high)
            if lo is not None and hi is not None and lo > hi:
                reason = "no number is in the range"
        except (ValueError, TypeError):
            return
    if reason:
        context.report(BAD_REFINEMENT, span, subject, refinement=ast.unparse(refinement), type=base, reason=reason)


def make_function(op: MakeFunction, view: View) -> None:
    """Defaults against their parameters' annotations."""
    facts = view.context.facts
    func = facts.functions[op.func].func
    if op.defaults is None:
        return
    held = view.fact(op.defaults)
    annotations = dict(func.annotations)
    if held.items is None:
        return
    names = func.params[func.positional - len(held.items) : func.positional]
    for name, fact in zip(names, held.items, strict=True):
        if name not in annotations or not fact.exact or not fact.types:
            continue
        declared = facts.annotation(annotations[name])
        if not admits(declared, fact):
            view.context.report(
                DEFAULT_TYPE,
                func.span,
                func.qualname,
                parameter=name,
                actual=shown(fact),
                expected=shown(declared),
            )


RULES = {Annotated: declaration, MakeFunction: make_function}
__all__ = ["RULES", "Operation", "check_function"]
