"""Returned values against the promised type, assigned values against the declared one."""

from __future__ import annotations

from ppy_compiler.diagnostics.codes import types as codes
from ppy_compiler.dialects.py.functions import Func, Return
from ppy_compiler.dialects.py.names import Annotated
from ppy_compiler.infer.checker.calls import admits
from ppy_compiler.infer.checker.context import View, shown


def returned(op: Return, view: View) -> None:
    func = view.function.func
    promised = dict(func.annotations).get("return")
    if promised is None or func.flavor != "plain" or func.kind not in ("function", "lambda"):
        return
    declared = view.context.facts.annotation(promised)
    if not view.certain(op.value) or admits(declared, view.fact(op.value)):
        return
    if _falls_off(op, view) and not _only_return(func):
        return  # the paths that return something may be the only ones taken
    if _falls_off(op, view) and _is_stub(func):
        return
    view.context.report(
        codes.RETURN_TYPE,
        op.span,
        func.qualname,
        function=f"{func.qualname}()",
        expected=shown(declared),
        actual=shown(view.fact(op.value)),
    )


def _falls_off(op: Return, view: View) -> bool:
    """Whether control comes to the function's end here; CPython gives that the place of the last statement."""
    return op.span is None or not view.context.source.excerpt(op.span).startswith("return")


def _only_return(func: Func) -> bool:
    return sum(isinstance(op, Return) for block in func.body.blocks for op in block.ops) == 1


def _is_stub(func: Func) -> bool:
    """A body that does nothing: a protocol's or an abstract method, a placeholder."""
    return all(
        op.name in ("py.const", "py.unbound", "py.drop", "py.return", "cf.br")
        for block in func.body.blocks
        for op in block.ops
    )


def annotated(op: Annotated, view: View) -> None:
    declared = view.context.facts.annotation(op.annotation)
    actual = view.fact(op.argument)
    if view.certain(op.argument) and not admits(declared, actual):
        view.context.report(
            codes.ASSIGNMENT_TYPE,
            op.span,
            view.function.func.qualname,
            name=op.var,
            expected=shown(declared),
            actual=shown(actual),
        )


RULES = {Return: returned, Annotated: annotated}
