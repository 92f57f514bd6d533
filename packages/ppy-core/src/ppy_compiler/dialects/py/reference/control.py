"""Branches and the end of a function. Edges themselves are the engine's."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.cf import Br, CondBr, Unreachable
from ppy_compiler.dialects.py.functions import Return
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference


def branch(op: Br, e: Emitter) -> Meaning:
    return []


def conditional(op: CondBr, e: Emitter) -> Meaning:
    """The test of an ``if``: a truth test needs no conversion there."""
    test = e.value(op.condition)
    if isinstance(test, ast.UnaryOp) and isinstance(test.operand, ast.UnaryOp):
        return test.operand.operand
    return test


def unreachable(op: Unreachable, e: Emitter) -> Meaning:
    return [ast.Raise(e.call(SystemError, ast.Constant("an unreachable block was reached")), None)]


def return_(op: Return, e: Emitter) -> Meaning:
    value = e.value(op.value)
    return [ast.Return(None if e.context.op.flavor == "async_generator" else value)]


TABLE = {
    Br: Reference(branch),
    CondBr: Reference(conditional),
    Unreachable: Reference(unreachable),
    Return: Reference(return_),
}
