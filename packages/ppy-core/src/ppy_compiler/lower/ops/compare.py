"""Comparison, identity, truth."""

from __future__ import annotations

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.ir.types import F64, I1, I32
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.ops.integers import Operand
from ppy_compiler.lower.ops.numbers import INTEGERS
from ppy_compiler.lower.reprs import Repr

SIGNED = {"<": "slt", "<=": "sle", "==": "eq", "!=": "ne", ">": "sgt", ">=": "sge"}
UNSIGNED = {"<": "ult", "<=": "ule", "==": "eq", "!=": "ne", ">": "ugt", ">=": "uge"}
FLOAT = {"<": "olt", "<=": "ole", "==": "oeq", "!=": "une", ">": "ogt", ">=": "oge"}
API = {"<": 0, "<=": 1, "==": 2, "!=": 3, ">": 4, ">=": 5}
MIRRORED = {"<": ">", "<=": ">=", "==": "==", "!=": "!=", ">": "<", ">=": "<="}


def compare(body: Body, op: py.Compare) -> None:
    bit = _between_texts(body, op) or _unboxed(body, op.kind, op.lhs, op.rhs)
    if bit is not None:
        body.define(op.value, bit, Repr.BOOL)
        return
    lhs, rhs = body.obj(op.lhs), body.obj(op.rhs)
    body.enter_frame_for(lhs, rhs)
    if _only_tested(body, op):
        body.tested[op.value] = body.tri("ppy_compare_truth", lhs, rhs, body.b.i32(API[op.kind]))
    else:
        body.define(op.value, body.new("PyObject_RichCompare", lhs, rhs, body.b.i32(API[op.kind])))


def _between_texts(body: Body, op: py.Compare) -> Value | None:
    """Whether two texts are equal that the body was compiled for."""
    lhs, rhs = body.fn.text(op.lhs), body.fn.text(op.rhs)
    if body.general or lhs is None or rhs is None or op.kind not in ("==", "!="):
        return None
    return body.b.i1((lhs == rhs) is (op.kind == "=="))


def _only_tested(body: Body, op: py.Compare) -> bool:
    """Whether the next operation takes the result's truth and nothing can enter or leave the body in between; behind a
    fused tree of arrays the object comes from either of two ways."""
    assert op.parent is not None
    ops = op.parent.ops
    index = body.fn.index(op) + 1
    follower = ops[index] if index < len(ops) else None
    alone = isinstance(follower, py.Truth) and follower.argument is op.value and len(op.value.uses) == 1
    between = (op.parent, index) in body.entries or op in body.fn.fusion.ends
    return alone and not between and body.repr(op.value) is Repr.OBJ


def _unboxed(body: Body, kind: str, lhs: Value, rhs: Value) -> Value | None:
    a, b = body.repr(lhs), body.repr(rhs)
    if a is Repr.F64 and b is Repr.F64:
        return body.b.cmp(FLOAT[kind], body.read(lhs), body.read(rhs))
    if a in INTEGERS and b in INTEGERS:
        return _integers(body, kind, Operand(body, lhs), Operand(body, rhs))
    if a in INTEGERS and b is Repr.F64:
        return _mixed(body, kind, Operand(body, lhs), rhs)
    if a is Repr.F64 and b in INTEGERS:
        return _mixed(body, MIRRORED[kind], Operand(body, rhs), lhs)
    return None


def _integers(body: Body, kind: str, a: Operand, b: Operand) -> Value | None:
    if a.unsigned == b.unsigned or (a.lo >= 0 and b.lo >= 0):
        table = UNSIGNED if a.unsigned or b.unsigned else SIGNED
        return body.b.cmp(table[kind], a.native, b.native)
    return None


def _mixed(body: Body, kind: str, a: Operand, b: Value) -> Value | None:
    if a.unsigned:
        return None
    answer = body.b.call1("ppy_cmp_i64_f64", [a.native, body.read(b), body.b.i32(API[kind])], I32)
    return body.b.nonzero(answer)


def truth(body: Body, op: py.Truth) -> None:
    argument = op.argument
    if argument in body.tested:
        body.consume(argument)
        body.define(op.value, body.tested.pop(argument), Repr.BIT)
        return
    kind = body.repr(argument)
    if kind.either:
        body.define(op.value, either_truth(body, argument), Repr.BIT)
        return
    if kind is Repr.OBJ:
        if not _is_comparison(argument):
            body.enter_frame_for(body.obj(argument))
        body.define(op.value, body.tri("ppy_truth", body.obj(argument)), Repr.BIT)
        return
    native = body.read(argument)
    if kind is Repr.F64:
        native = body.b.cmp("une", native, body.b.f64(0.0))
    elif kind.is_word:
        native = body.b.nonzero(native)
    body.define(op.value, native, Repr.BIT)


def either_truth(body: Body, value: Value) -> Value:
    """Of a number in a register that may be NumPy's."""
    native, _ = body.b.parts(body.read(value))
    if native.type == F64:
        return body.b.cmp("une", native, body.b.f64(0.0))
    return native if native.type == I1 else body.b.nonzero(native)


def _is_comparison(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, py.FromBool)


def from_bool(body: Body, op: py.FromBool) -> None:
    bit = body.read(op.argument)
    body.define(op.value, body.b.not_(bit) if op.negate else bit, Repr.BOOL)


def is_(body: Body, op: py.Is) -> None:
    same = body.b.cmp("ne" if op.negate else "eq", body.obj(op.lhs), body.obj(op.rhs))
    body.define(op.value, same, Repr.BIT)


def is_unbound(body: Body, op: py.IsUnbound) -> None:
    body.define(op.value, body.b.not_(body.present(op.argument)), Repr.BIT)


def contains(body: Body, op: py.Contains) -> None:
    container, item = body.obj(op.container), body.obj(op.item)
    body.enter_frame_for(container, item)
    bit = body.tri("PySequence_Contains", container, item)
    body.define(op.value, body.b.not_(bit) if op.negate else bit, Repr.BIT)


HANDLERS: Handlers = {
    py.Compare: compare,
    py.Truth: truth,
    py.FromBool: from_bool,
    py.Is: is_,
    py.IsUnbound: is_unbound,
    py.Contains: contains,
}
