"""Assignments, ``del``, expression statements, declarations."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import annotating, displays, names, places, targets
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.operations import BINARY
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def assign(b: FunctionBuilder, node: ast.Assign) -> None:
    if len(node.targets) == 1 and _is_parallel(node.targets[0], node.value):
        _assign_parallel(b, node.targets[0], node.value)
        return
    value = b.expr(node.value)
    for target in node.targets:
        targets.assign(b, target, value)


def _is_parallel(target: ast.expr, value: ast.expr) -> bool:
    """``a, b = x, y`` needs no tuple."""
    if not (isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, ast.Tuple)):
        return False
    return len(target.elts) == len(value.elts) and not displays.has_star([*target.elts, *value.elts])


def _assign_parallel(b: FunctionBuilder, target: ast.expr, value: ast.expr) -> None:
    assert isinstance(target, (ast.Tuple, ast.List))
    assert isinstance(value, ast.Tuple)
    values = b.exprs(value.elts)
    for part, item in zip(target.elts, values, strict=True):
        targets.assign(b, part, item)


def aug_assign(b: FunctionBuilder, node: ast.AugAssign) -> None:
    """The target's parts are evaluated once, before the value."""
    span = Span.of(node)
    target = node.target

    def combine(old: Value) -> Value:
        return b.emit(py.Binary(old, b.expr(node.value), kind=BINARY[type(node.op)], inplace=True, span=span)).value

    match target:
        case ast.Name():
            at = Span.of(target)
            names.store(b, target.id, combine(names.load(b, target.id, at)), at)
        case ast.Attribute():
            at = places.attribute(target)
            owner = b.expr(target.value)
            attribute = b.scope.mangle(target.attr)
            result = combine(b.emit(py.GetAttr(owner, attribute=attribute, span=at)).value)
            b.emit(py.SetAttr(owner, result, attribute=attribute, span=at))
        case ast.Subscript():
            at = Span.of(target)
            container = b.expr(target.value)
            index = b.expr(target.slice)
            result = combine(b.emit(py.GetItem(container, index, span=at)).value)
            b.emit(py.SetItem(container, index, result, span=at))


def ann_assign(b: FunctionBuilder, node: ast.AnnAssign) -> None:
    target = node.target
    if node.value is not None:
        targets.assign(b, target, b.expr(node.value))
    if isinstance(target, ast.Name):
        if node.simple and not b.scope.is_function:
            annotating.record(b, node, target)
        elif not node.simple and not b.scope.is_function:
            annotating.evaluate(b, node.annotation)
        return
    if node.value is None and isinstance(target, ast.Attribute):
        b.expr(target.value)
    elif node.value is None and isinstance(target, ast.Subscript):
        b.expr(target.value)
        _index_parts(b, target.slice)
    if not b.scope.is_function:
        annotating.evaluate(b, node.annotation)


def _index_parts(b: FunctionBuilder, node: ast.expr) -> None:
    """An annotated subscript without a value evaluates what it is made of, and builds no index."""
    if isinstance(node, ast.Tuple):
        for item in node.elts:
            _index_parts(b, item)
    elif isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                b.expr(bound)
    else:
        b.expr(node)


def delete(b: FunctionBuilder, node: ast.Delete) -> None:
    for target in node.targets:
        _delete(b, target)


def _delete(b: FunctionBuilder, target: ast.expr) -> None:
    match target:
        case ast.Name():
            names.delete(b, target.id, Span.of(target))
        case ast.Attribute():
            owner = b.expr(target.value)
            b.emit(py.DelAttr(owner, attribute=b.scope.mangle(target.attr), span=places.attribute(target)))
        case ast.Subscript():
            container = b.expr(target.value)
            b.emit(py.DelItem(container, b.expr(target.slice), span=Span.of(target)))
        case ast.Tuple() | ast.List():
            for item in target.elts:
                _delete(b, item)


def expr(b: FunctionBuilder, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        b.expr(node.value)


def nothing(b: FunctionBuilder, node: ast.Pass | ast.Global | ast.Nonlocal) -> None:
    """Declarations are the scopes' business."""


TABLE = {
    ast.Assign: assign,
    ast.AugAssign: aug_assign,
    ast.AnnAssign: ann_assign,
    ast.Delete: delete,
    ast.Expr: expr,
    ast.Pass: nothing,
    ast.Global: nothing,
    ast.Nonlocal: nothing,
}
