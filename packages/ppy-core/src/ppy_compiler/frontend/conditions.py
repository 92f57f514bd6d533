"""Conditions: control flow decided by an expression, without making an object of its truth."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import displays, folding, places
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span

Node = ast.stmt | ast.expr
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.Gt: ">", ast.GtE: ">="}


def branch_on(b: FunctionBuilder, node: ast.expr, then: Block, otherwise: Block, whole: Node) -> None:
    """Go to ``then`` when ``node`` is true, else to ``otherwise``; constants decide at once. ``whole`` asks."""
    if b.block is None:
        return
    match node:
        case ast.UnaryOp(op=ast.Not()):
            branch_on(b, node.operand, otherwise, then, whole)
        case ast.BoolOp():
            _branch_on_operands(b, node, then, otherwise, whole)
        case ast.IfExp():
            _branch_on_choice(b, node, then, otherwise, whole)
        case ast.Compare(ops=[_, _, *_]):
            _branch_on_chain(b, node, then, otherwise)
        case _:
            _branch_on_value(b, node, then, otherwise, whole)


def _branch_on_operands(b: FunctionBuilder, node: ast.BoolOp, then: Block, otherwise: Block, whole: Node) -> None:
    for operand in node.values[:-1]:
        following = b.new_block("and" if isinstance(node.op, ast.And) else "or")
        if isinstance(node.op, ast.And):
            branch_on(b, operand, following, otherwise, whole)
        else:
            branch_on(b, operand, then, following, whole)
        if not b.enter(following):
            return
    branch_on(b, node.values[-1], then, otherwise, whole)


def _branch_on_choice(b: FunctionBuilder, node: ast.IfExp, then: Block, otherwise: Block, whole: Node) -> None:
    first, second = b.new_block("then"), b.new_block("else")
    branch_on(b, node.test, first, second, whole)
    for block, value in ((first, node.body), (second, node.orelse)):
        if b.enter(block):
            branch_on(b, value, then, otherwise, whole)


def _branch_on_chain(b: FunctionBuilder, node: ast.Compare, then: Block, otherwise: Block) -> None:
    span = Span.of(node)
    left = b.expr(node.left)
    for op, comparator in zip(node.ops[:-1], node.comparators, strict=False):
        right = right_operand(b, op, comparator)
        following = b.new_block("chain")
        b.branch(compare_test(b, op, left, right, span), following, otherwise, span)
        b.enter(following)
        left = right
    test = compare_test(b, node.ops[-1], left, right_operand(b, node.ops[-1], node.comparators[-1]), span)
    b.branch(test, then, otherwise, span)


def _branch_on_value(b: FunctionBuilder, node: ast.expr, then: Block, otherwise: Block, whole: Node) -> None:
    if isinstance(node, ast.Compare):
        left = b.expr(node.left)
        right = right_operand(b, node.ops[0], node.comparators[0])
        at = places.tested(node, whole)
        b.branch(compare_test(b, node.ops[0], left, right, Span.of(node), at), then, otherwise, at)
        return
    value = b.expr(node)
    constant = folding.literal_op(node, value)
    if constant is not None:
        b.jump(then if constant.literal else otherwise)
        return
    span = places.tested(node, whole)
    b.branch(b.truth(value, span), then, otherwise, span)


def compare_test(
    b: FunctionBuilder, op: ast.cmpop, left: Value, right: Value, span: Span, at: Span | None = None
) -> Value:
    """One comparison as a truth value; ``at`` is where its truth is asked for."""
    kind = COMPARISONS.get(type(op))
    if kind is not None:
        return b.truth(b.emit(py.Compare(left, right, kind=kind, span=span)).value, at or span)
    if isinstance(op, (ast.Is, ast.IsNot)):
        return b.emit(py.Is(left, right, negate=isinstance(op, ast.IsNot), span=span)).value
    return b.emit(py.Contains(left, right, negate=isinstance(op, ast.NotIn), span=span)).value


def compare_value(b: FunctionBuilder, op: ast.cmpop, left: Value, right: Value, span: Span) -> Value:
    """One comparison as an object."""
    kind = COMPARISONS.get(type(op))
    if kind is not None:
        return b.emit(py.Compare(left, right, kind=kind, span=span)).value
    return b.emit(py.FromBool(compare_test(b, op, left, right, span), span=span)).value


def right_operand(b: FunctionBuilder, op: ast.cmpop, node: ast.expr) -> Value:
    """Asking whether something is in a display of constants takes a constant."""
    return displays.constant_or(b, node) if isinstance(op, (ast.In, ast.NotIn)) else b.expr(node)
