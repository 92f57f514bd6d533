"""Unary, binary, comparison, truth, attributes, items."""

from __future__ import annotations

import ast
import operator

from ppy_compiler.dialects.py import operators
from ppy_compiler.dialects.py.reference.names import UNBOUND
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import compare

UNARY = {"-": ast.USub, "+": ast.UAdd, "~": ast.Invert}
BINARY = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "@": ast.MatMult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "**": ast.Pow,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "&": ast.BitAnd,
    "^": ast.BitXor,
    "|": ast.BitOr,
}
INPLACE = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "@": operator.imatmul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "<<": operator.ilshift,
    ">>": operator.irshift,
    "&": operator.iand,
    "^": operator.ixor,
    "|": operator.ior,
}
COMPARE = {"<": ast.Lt, "<=": ast.LtE, "==": ast.Eq, "!=": ast.NotEq, ">": ast.Gt, ">=": ast.GtE}


def unary(op: operators.Unary, e: Emitter) -> Meaning:
    return ast.UnaryOp(UNARY[op.kind](), e.value(op.argument))


def binary(op: operators.Binary, e: Emitter) -> Meaning:
    lhs, rhs = e.value(op.lhs), e.value(op.rhs)
    return e.call(INPLACE[op.kind], lhs, rhs) if op.inplace else ast.BinOp(lhs, BINARY[op.kind](), rhs)


def comparison(op: operators.Compare, e: Emitter) -> Meaning:
    return compare(e.value(op.lhs), COMPARE[op.kind](), e.value(op.rhs))


def identity(op: operators.Is, e: Emitter) -> Meaning:
    return compare(e.value(op.lhs), ast.IsNot() if op.negate else ast.Is(), e.value(op.rhs))


def is_unbound(op: operators.IsUnbound, e: Emitter) -> Meaning:
    return compare(e.value(op.argument), ast.Is(), e.object(UNBOUND))


def contains(op: operators.Contains, e: Emitter) -> Meaning:
    return compare(e.value(op.item), ast.NotIn() if op.negate else ast.In(), e.value(op.container))


def truth(op: operators.Truth, e: Emitter) -> Meaning:
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), e.value(op.argument)))


def from_bool(op: operators.FromBool, e: Emitter) -> Meaning:
    value = e.value(op.argument)
    return ast.UnaryOp(ast.Not(), value) if op.negate else value


def get_attribute(op: operators.GetAttr, e: Emitter) -> Meaning:
    return ast.Attribute(e.value(op.object), op.attribute, ast.Load())


def set_attribute(op: operators.SetAttr, e: Emitter) -> Meaning:
    value = e.value(op.value)
    return [ast.Assign([ast.Attribute(e.value(op.object), op.attribute, ast.Store())], value)]


def delete_attribute(op: operators.DelAttr, e: Emitter) -> Meaning:
    return [ast.Delete([ast.Attribute(e.value(op.object), op.attribute, ast.Del())])]


def get_item(op: operators.GetItem, e: Emitter) -> Meaning:
    return ast.Subscript(e.value(op.object), e.value(op.index), ast.Load())


def set_item(op: operators.SetItem, e: Emitter) -> Meaning:
    value = e.value(op.value)
    return [ast.Assign([ast.Subscript(e.value(op.object), e.value(op.index), ast.Store())], value)]


def delete_item(op: operators.DelItem, e: Emitter) -> Meaning:
    return [ast.Delete([ast.Subscript(e.value(op.object), e.value(op.index), ast.Del())])]


def build_slice(op: operators.BuildSlice, e: Emitter) -> Meaning:
    return e.call(slice, *e.values(op.operands))


TABLE = {
    operators.Unary: Reference(unary),
    operators.Binary: Reference(binary),
    operators.Compare: Reference(comparison),
    operators.Is: Reference(identity),
    operators.IsUnbound: Reference(is_unbound),
    operators.Contains: Reference(contains),
    operators.Truth: Reference(truth),
    operators.FromBool: Reference(from_bool),
    operators.GetAttr: Reference(get_attribute),
    operators.SetAttr: Reference(set_attribute, order=lambda op: (op.value, op.object)),
    operators.DelAttr: Reference(delete_attribute),
    operators.GetItem: Reference(get_item),
    operators.SetItem: Reference(set_item, order=lambda op: (op.value, op.object, op.index)),
    operators.DelItem: Reference(delete_item),
    operators.BuildSlice: Reference(build_slice),
}
