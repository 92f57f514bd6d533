"""Evaluating operations on constants through their reference functions: the interpreter and folding are the same code.

An operation is folded only where CPython could not be told apart: the result is an immutable literal of modest size
and nothing is raised. Truth values have no literal in the IR; ``known_truth`` finds them for branches.
"""

from __future__ import annotations

import ast
from typing import Any

from ppy_compiler.dialects.py import containers, matching, names, operators, strings
from ppy_compiler.dialects.py.reference import TABLE
from ppy_compiler.dialects.py.reference.names import UNBOUND
from ppy_compiler.ir.core import Operation, OpResult, Value
from ppy_compiler.ir.interpreter import Emitter
from ppy_compiler.ir.literals import FORMATTERS
from ppy_compiler.ir.types import I1

FOLDABLE = (
    operators.Unary, operators.Binary, operators.Compare, operators.Is, operators.IsUnbound, operators.Contains,
    operators.Truth, operators.FromBool, operators.GetItem, strings.FormatValue, strings.BuildString,
    containers.BuildTuple, matching.Length,
)
NUMBERS = (bool, int, float, complex)
SINGLETONS = (None, True, False, ...)
MAX_BITS = 128
MAX_TEXT = 4096
MAX_ITEMS = 256


class _Evaluator(Emitter):
    """Gives reference functions the constants of one operation."""

    def __init__(self, constants: dict[Value, Any]) -> None:
        self.known = constants
        self.context = None
        self.namespace: dict[str, Any] = {}

    def value(self, value: Value) -> ast.expr:
        return self.object(self.known[value])

    def object(self, thing: object) -> ast.expr:
        """A name, which the compiler does not try to evaluate itself."""
        name = f"o{len(self.namespace)}"
        self.namespace[name] = thing
        return ast.Name(name, ast.Load())


class NotConstant(Exception):
    """The operation cannot be evaluated now."""


def known(value: Value) -> Any:
    """The object that ``value`` always is (``UNBOUND`` for the null marker); ``NotConstant`` when that is not known."""
    op = value.op if isinstance(value, OpResult) else None
    if isinstance(op, names.Const):
        return op.literal
    if isinstance(op, names.Unbound):
        return UNBOUND
    if isinstance(op, FOLDABLE) and value.type == I1:
        return evaluate(op)
    raise NotConstant


def known_truth(value: Value) -> bool | None:
    """Which way a branch on ``value`` always goes; ``None`` when that is not known."""
    try:
        return bool(known(value))
    except NotConstant:
        return None


def evaluate(op: Operation) -> Any:
    """The result of ``op``, all of whose operands are known; ``NotConstant`` where it must stay."""
    if not isinstance(op, FOLDABLE):
        raise NotConstant
    operands = {value: known(value) for value in op.operands}
    if not _allowed(op, list(operands.values())):
        raise NotConstant
    evaluator = _Evaluator(operands)
    expression = TABLE[type(op)].emit(op, evaluator)
    if not isinstance(expression, ast.expr):
        raise NotConstant
    try:
        code = compile(ast.fix_missing_locations(ast.Expression(expression)), "<folding>", "eval", dont_inherit=True)
        result = eval(code, evaluator.namespace)
    except Exception as error:
        raise NotConstant from error
    if not is_modest(result):
        raise NotConstant
    return result


def is_modest(value: Any) -> bool:
    """A literal that is not larger than what CPython folds."""
    match value:
        case str() | bytes():
            return len(value) <= MAX_TEXT
        case tuple():
            return len(value) <= MAX_ITEMS and all(map(is_modest, value))
        case int():
            return value.bit_length() <= MAX_BITS
    return type(value) in FORMATTERS


def _allowed(op: Operation, operands: list[Any]) -> bool:
    if isinstance(op, operators.Is):
        return any(any(operand is s for s in SINGLETONS) or operand is UNBOUND for operand in operands)
    if any(operand is UNBOUND for operand in operands):
        return isinstance(op, operators.IsUnbound)
    if isinstance(op, strings.FormatValue):
        return len(operands) == 1 or "n" not in str(operands[1])  # That presentation type depends on the locale.
    if not isinstance(op, operators.Binary):
        return True
    lhs, rhs = operands[0], operands[-1]
    numbers = isinstance(lhs, NUMBERS) and isinstance(rhs, NUMBERS)
    match op.kind:
        case "+":
            return numbers or (is_modest(lhs) and is_modest(rhs))
        case "*" if not numbers:
            count, items = (lhs, rhs) if isinstance(lhs, int) else (rhs, lhs)
            return isinstance(count, int) and isinstance(items, str | bytes | tuple) and count * len(items) <= MAX_ITEMS
        case "**" if isinstance(lhs, int) and isinstance(rhs, int):
            return abs(rhs) <= MAX_BITS and lhs.bit_length() * abs(rhs) <= MAX_BITS
        case "<<":
            return isinstance(lhs, int) and isinstance(rhs, int) and 0 <= rhs <= MAX_BITS
    return numbers

