"""Folding of constant expressions, as far as CPython folds them and with its limits.

A literal operand is the last thing emitted, so folding takes it back from the block. Expressions that would raise,
or whose result would be large, stay operations.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ppy_compiler.dialects.py.names import Const
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import OpResult, Value

MAX_BITS, MAX_ITEMS, MAX_TEXT = 128, 256, 4096
LITERALS = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple)
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def is_literal(node: ast.expr) -> bool:
    """Whether ``node`` is made of constants only (and so is folded, unless that would raise or grow)."""
    match node:
        case ast.Constant():
            return True
        case ast.Tuple():
            return all(map(is_literal, node.elts))
        case ast.UnaryOp():
            return is_literal(node.operand)
        case ast.BinOp():
            return is_literal(node.left) and is_literal(node.right)
    return False


def literal_op(node: ast.expr, value: Value) -> Const | None:
    """The constant that ``value`` is, when ``node`` is a literal or was folded to one."""
    is_literal = isinstance(node, LITERALS) or (isinstance(node, ast.Name) and node.id == "__debug__")
    if is_literal and isinstance(value, OpResult) and isinstance(value.op, Const):
        return value.op
    return None


def take_back(b: FunctionBuilder, nodes: Sequence[ast.expr], values: Sequence[Value]) -> list[Any] | None:
    """The literals of ``values``, their operations removed; ``None``, and nothing done, unless all are literals."""
    found: list[Const] = []
    for node, value in zip(nodes, values, strict=True):
        op = literal_op(node, value)
        if op is None:
            return None
        found.append(op)
    block = b.block
    assert block is not None
    for op in reversed(found):
        assert block.ops[-1] is op
        block.ops.pop()
    return [op.literal for op in found]


def unary(kind: str, literal: Any) -> tuple[Any] | None:
    """The folded value in a tuple, or ``None``."""
    if isinstance(literal, bool) and kind == "~":
        return None  # warns
    try:
        return (UNARY[kind](literal),)
    except TypeError:
        return None


def binary(kind: str, lhs: Any, rhs: Any) -> tuple[Any] | None:
    """The folded value in a tuple, or ``None``."""
    if kind not in BINARY or not _is_small(kind, lhs, rhs):
        return None
    try:
        return (BINARY[kind](lhs, rhs),)
    except (TypeError, ValueError, ArithmeticError):
        return None


def item(sequence: Any, index: Any) -> tuple[Any] | None:
    """``sequence[index]`` in a tuple, or ``None``."""
    try:
        return (sequence[index],)
    except (TypeError, LookupError):
        return None


def _is_small(kind: str, lhs: Any, rhs: Any) -> bool:
    if kind == "%":
        return not isinstance(lhs, (str, bytes))
    if kind == "+" and isinstance(lhs, (str, bytes)) and isinstance(rhs, (str, bytes)):
        return len(lhs) + len(rhs) <= MAX_TEXT
    if kind == "*":
        count, sequence = (lhs, rhs) if isinstance(lhs, int) else (rhs, lhs)
        if isinstance(count, int) and isinstance(sequence, (tuple, str, bytes)):
            return count >= 0 and count * len(sequence) <= (MAX_ITEMS if isinstance(sequence, tuple) else MAX_TEXT)
    if not (isinstance(lhs, int) and isinstance(rhs, int)):
        return True
    if kind == "*":
        return lhs.bit_length() + rhs.bit_length() <= MAX_BITS
    if kind == "**":
        return rhs < 0 or lhs.bit_length() * rhs <= MAX_BITS
    return kind != "<<" or (0 <= rhs <= MAX_BITS and lhs.bit_length() + rhs <= MAX_BITS)
