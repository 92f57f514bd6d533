"""Conditions: control flow decided by an expression, without making an object of its truth."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import folding
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span

COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.Gt: ">", ast.GtE: ">="}


def branch_on(b: FunctionBuilder, node: ast.expr, then: Block, otherwise: Block) -> None:
    """Go to ``then`` when ``node`` is true, else to ``otherwise``; constants decide at once."""
    if b.block is None:
        return
    match node:
        case ast.UnaryOp(op=ast.Not()):
            branch_on(b, node.operand, otherwise, then)
        case ast.BoolOp():
            _branch_on_operands(b, node, then, otherwise)
        case ast.IfExp():
            _branch_on_choice(b, node, then, otherwise)
        case ast.Compare(ops=[_, _, *_]):
            _branch_on_chain(b, node, then, otherwise)
        case _:
            _branch_on_value(b, node, then, otherwise)


def _branch_on_operands(b: FunctionBuilder, node: ast.BoolOp, then: Block, otherwise: Block) -> None:
    for operand in node.values[:-1]:
        following = b.new_block("and" if isinstance(node.op, ast.And) else "or")
        if isinstance(node.op, ast.And):
            branch_on(b, operand, following, otherwise)
        else:
            branch_on(b, operand, then, following)
        if not b.enter(following):
            return
    branch_on(b, node.values[-1], then, otherwise)


def _branch_on_choice(b: FunctionBuilder, node: ast.IfExp, then: Block, otherwise: Block) -> None:
    first, second = b.new_block("then"), b.new_block("else")
    branch_on(b, node.test, first, second)
    for block, value in ((first, node.body), (second, node.orelse)):
        if b.enter(block):
            branch_on(b, value, then, otherwise)


def _branch_on_chain(b: FunctionBuilder, node: ast.Compare, then: Block, otherwise: Block) -> None:
    span = Span.of(node)
    left = b.expr(node.left)
    for op, comparator in zip(node.ops[:-1], node.comparators, strict=False):
        right = b.expr(comparator)
        following = b.new_block("chain")
        b.branch(compare_test(b, op, left, right, span), following, otherwise, span)
        b.enter(following)
        left = right
    test = compare_test(b, node.ops[-1], left, b.expr(node.comparators[-1]), span)
    b.branch(test, then, otherwise, span)


def _branch_on_value(b: FunctionBuilder, node: ast.expr, then: Block, otherwise: Block) -> None:
    if isinstance(node, ast.Compare):
        left = b.expr(node.left)
        right = b.expr(node.comparators[0])
        span = Span.of(node)
        b.branch(compare_test(b, node.ops[0], left, right, span), then, otherwise, span)
        return
    value = b.expr(node)
    constant = folding.literal_op(node, value)
    if constant is not None:
        b.jump(then if constant.literal else otherwise)
        return
    span = Span.of(node)
    b.branch(b.truth(value, span), then, otherwise, span)


def compare_test(b: FunctionBuilder, op: ast.cmpop, left: Value, right: Value, span: Span) -> Value:
    """One comparison as a truth value."""
    kind = COMPARISONS.get(type(op))
    if kind is not None:
        return b.truth(b.emit(py.Compare(left, right, kind=kind, span=span)).value, span)
    if isinstance(op, (ast.Is, ast.IsNot)):
        return b.emit(py.Is(left, right, negate=isinstance(op, ast.IsNot), span=span)).value
    return b.emit(py.Contains(left, right, negate=isinstance(op, ast.NotIn), span=span)).value


def compare_value(b: FunctionBuilder, op: ast.cmpop, left: Value, right: Value, span: Span) -> Value:
    """One comparison as an object."""
    kind = COMPARISONS.get(type(op))
    if kind is not None:
        return b.emit(py.Compare(left, right, kind=kind, span=span)).value
    return b.emit(py.FromBool(compare_test(b, op, left, right, span), span=span)).value
