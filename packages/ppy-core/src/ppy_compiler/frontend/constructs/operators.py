"""Unary, binary, boolean and comparison operators, conditional expressions, ``:=``."""

from __future__ import annotations

import ast
import sys

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import conditions, folding, names, percent, places
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.operations import BINARY
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span

ASKS_AGAIN = sys.version_info >= (3, 12)
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


def unary_op(b: FunctionBuilder, node: ast.UnaryOp) -> Value:
    span = Span.of(node)
    if isinstance(node.op, ast.Not):
        return _not(b, node, span)
    kind = UNARY[type(node.op)]
    value = b.expr(node.operand)
    literal = folding.literal_op(node.operand, value)
    if literal is not None:
        folded = folding.unary(kind, literal.literal)
        if folded is not None:
            folding.take_back(b, [node.operand], [value])
            return b.const(folded[0], span)
    return b.emit(py.Unary(value, kind=kind, span=span)).value


def _not(b: FunctionBuilder, node: ast.UnaryOp, span: Span) -> Value:
    operand = node.operand
    if isinstance(operand, ast.Compare) and len(operand.ops) == 1:
        left = b.expr(operand.left)
        right = conditions.right_operand(b, operand.ops[0], operand.comparators[0])
        at = places.negation(node, operand)
        test = conditions.compare_test(b, operand.ops[0], left, right, at, span)
        return b.emit(py.FromBool(test, negate=True, span=span)).value
    value = b.expr(operand)
    literal = folding.literal_op(operand, value)
    if literal is not None:
        folding.take_back(b, [operand], [value])
        return b.const(not literal.literal, span)
    return b.emit(py.FromBool(b.truth(value, span), negate=True, span=span)).value


def bin_op(b: FunctionBuilder, node: ast.BinOp) -> Value:
    kind = BINARY[type(node.op)]
    span = Span.of(node)
    if percent.applies(node):
        return percent.build(b, node, span)
    lhs = b.expr(node.left)
    rhs = b.expr(node.right)
    left, right = folding.literal_op(node.left, lhs), folding.literal_op(node.right, rhs)
    if left is not None and right is not None:
        folded = folding.binary(kind, left.literal, right.literal)
        if folded is not None:
            folding.take_back(b, [node.left, node.right], [lhs, rhs])
            return b.const(folded[0], span)
    return b.emit(py.Binary(lhs, rhs, kind=kind, span=span)).value


def bool_op(b: FunctionBuilder, node: ast.BoolOp) -> Value:
    """The value of the operand that decides."""
    result, join = object(), b.new_block("bool")
    for operand in node.values[:-1]:
        following = b.new_block("operand")
        targets = (following, join) if isinstance(node.op, ast.And) else (join, following)
        _decide(b, operand, result, targets, Span.of(node))
        if not b.enter(following):
            break
    else:
        b.write(result, b.expr(node.values[-1]))
        b.jump(join)
    b.enter(join)
    return b.read(result)


def _decide(b: FunctionBuilder, operand: ast.expr, result: object, targets: tuple[Block, Block], span: Span) -> None:
    """Write the operand's value and go where its truth says.

    CPython 3.11 goes on from ``x`` in ``(x or y) and z`` without asking for the truth of ``x`` again; later ones ask.
    """
    if ASKS_AGAIN or not isinstance(operand, ast.BoolOp):
        value = b.expr(operand)
        b.write(result, value)
        literal = folding.literal_op(operand, value)
        if literal is not None:
            b.jump(targets[0] if literal.literal else targets[1])
        else:
            b.branch(b.truth(value, span), *targets, span)
        return
    then, otherwise = targets
    for inner in operand.values[:-1]:
        following = b.new_block("operand")
        inner_targets = (following, otherwise) if isinstance(operand.op, ast.And) else (then, following)
        _decide(b, inner, result, inner_targets, Span.of(operand))
        if not b.enter(following):
            return
    _decide(b, operand.values[-1], result, targets, span)


def compare(b: FunctionBuilder, node: ast.Compare) -> Value:
    span = Span.of(node)
    left = b.expr(node.left)
    if len(node.ops) == 1:
        right = conditions.right_operand(b, node.ops[0], node.comparators[0])
        return conditions.compare_value(b, node.ops[0], left, right, span)
    result, join = object(), b.new_block("compared")
    for op, comparator in zip(node.ops[:-1], node.comparators, strict=False):
        right = conditions.right_operand(b, op, comparator)
        value = conditions.compare_value(b, op, left, right, span)
        b.write(result, value)
        following = b.new_block("chain")
        b.branch(b.truth(value, span), following, join, span)
        b.enter(following)
        left = right
    right = conditions.right_operand(b, node.ops[-1], node.comparators[-1])
    b.write(result, conditions.compare_value(b, node.ops[-1], left, right, span))
    b.jump(join)
    b.enter(join)
    return b.read(result)


def if_exp(b: FunctionBuilder, node: ast.IfExp) -> Value:
    then, otherwise, join = b.new_block("then"), b.new_block("else"), b.new_block("chosen")
    result = object()
    conditions.branch_on(b, node.test, then, otherwise, node)
    for block, value in ((then, node.body), (otherwise, node.orelse)):
        if b.enter(block):
            b.write(result, b.expr(value))
            b.jump(join)
    b.enter(join)
    return b.read(result)


def named_expr(b: FunctionBuilder, node: ast.NamedExpr) -> Value:
    value = b.expr(node.value)
    names.store(b, node.target.id, value, Span.of(node.target))
    return value


TABLE = {
    ast.UnaryOp: unary_op,
    ast.BinOp: bin_op,
    ast.BoolOp: bool_op,
    ast.Compare: compare,
    ast.IfExp: if_exp,
    ast.NamedExpr: named_expr,
}
