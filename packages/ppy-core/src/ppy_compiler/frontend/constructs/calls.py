"""Calls."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.frontend import displays, places, supers
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span

STACK_USE = 30
"""CPython passes more arguments than this in a tuple."""


def call(b: FunctionBuilder, node: ast.Call) -> Value:
    func = node.func
    if isinstance(func, ast.Name) and func.id == "super" and not node.args:
        b.features.add("super")
    simple = not displays.has_star(node.args) and all(k.arg is not None for k in node.keywords)
    if not simple:
        callee = b.expr(func)
        return _call_ex(b, callee, node)
    if isinstance(func, ast.Attribute) and len(node.args) + len(node.keywords) + bool(node.keywords) < STACK_USE:
        return _call_method(b, func, node)
    callee = b.expr(func)
    args, kwnames = _arguments(b, node.args, node.keywords)
    return b.emit(py.Call(callee, args, kwnames=kwnames, span=Span.of(node))).value


def _arguments(
    b: FunctionBuilder, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> tuple[list[Value], tuple[str, ...]]:
    values = b.exprs([*args, *[k.value for k in keywords]])
    return values, tuple([k.arg for k in keywords if k.arg is not None])


def _call_method(b: FunctionBuilder, func: ast.Attribute, node: ast.Call) -> Value:
    span = places.method_call(node, func)
    found = supers.load(b, func, method=True)
    if found is not None:
        method, receiver = found
    else:
        target = b.expr(func.value)
        load = b.emit(py.LoadMethod(target, attribute=b.scope.mangle(func.attr), span=places.attribute(func)))
        method, receiver = load.method, load.receiver
        method.hint = func.attr
    args, kwnames = _arguments(b, node.args, node.keywords)
    return b.emit(py.CallMethod(method, receiver, args, kwnames=kwnames, span=span)).value


def _call_ex(b: FunctionBuilder, callee: Value, node: ast.Call) -> Value:
    span = Span.of(node)
    args = displays.argument_tuple(b, node.args, (), span)
    kwargs = displays.keyword_dict(b, callee, node.keywords, span)
    return b.emit(py.CallEx(callee, args, kwargs, span=span)).value


TABLE = {ast.Call: call}
