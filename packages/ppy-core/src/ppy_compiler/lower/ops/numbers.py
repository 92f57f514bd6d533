"""Unary and binary operators."""

from __future__ import annotations

from ppy_compiler.dialects.py import operators as py
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import F64, I64
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops import integers
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.reprs import Repr

INTEGERS = (Repr.I64, Repr.U64, Repr.BOOL)
FLOATS = {"+": "fadd", "-": "fsub", "*": "fmul"}
NUMBER_API = {
    "+": "Add",
    "-": "Subtract",
    "*": "Multiply",
    "@": "MatrixMultiply",
    "/": "TrueDivide",
    "//": "FloorDivide",
    "%": "Remainder",
    "<<": "Lshift",
    ">>": "Rshift",
    "&": "And",
    "^": "Xor",
    "|": "Or",
}
UNARY_API = {"-": "PyNumber_Negative", "+": "PyNumber_Positive", "~": "PyNumber_Invert"}
FLOAT_CALLS = {"/": "ppy_f64_truediv", "//": "ppy_f64_floordiv", "%": "ppy_f64_mod"}


def as_double(body: Body, value: Value) -> Value:
    """A number as ``float(value)`` gives it."""
    return double_of(body, body.read(value), body.repr(value))


def double_of(body: Body, native: Value, kind: Repr) -> Value:
    """The same for a number in a register."""
    if kind is Repr.F64:
        return native
    return body.b.cast("sitofp" if kind is Repr.I64 else "uitofp", native, F64)


def binary(body: Body, op: py.Binary) -> None:
    found = _unboxed(body, op)
    if found is None:
        general_binary(body, op)
    else:
        body.define(op.value, *found)


def _unboxed(body: Body, op: py.Binary) -> tuple[Value, Repr] | None:
    if op in body.accumulating:
        return integers.accumulate(body, op)
    if not body.general and (chained := integers.chained(body, op)) is not None:
        return chained
    kinds = (body.repr(op.lhs), body.repr(op.rhs))
    fact = body.fact(op.value)
    if any(kind is Repr.OBJ or kind.either for kind in kinds) or fact is None:
        return None
    if Repr.F64 in kinds:
        return _float(body, op)
    if kinds == (Repr.BOOL, Repr.BOOL) and op.kind in integers.BITWISE:
        return body.b.binary(integers.BITWISE[op.kind], body.read(op.lhs), body.read(op.rhs)), Repr.BOOL
    if op.kind == "/":
        quotient = integers.true_divide(body, op.lhs, op.rhs)
        return None if quotient is None else (quotient, Repr.F64)
    return integers.binary(body, op, fact)


def _float(body: Body, op: py.Binary) -> tuple[Value, Repr] | None:
    if op.kind not in FLOATS and op.kind not in FLOAT_CALLS and op.kind != "**":
        return None
    a, b = as_double(body, op.lhs), as_double(body, op.rhs)
    if op.kind in FLOATS:
        return body.b.binary(FLOATS[op.kind], a, b), Repr.F64
    if op.kind == "**":
        return _power(body, a, b)
    if body.speculates:
        body.deopt_unless(body.b.cmp("une", b, body.b.f64(0.0)))
        if op.kind == "/":
            return body.b.binary("fdiv", a, b), Repr.F64
    value, ok = body.b.call(FLOAT_CALLS[op.kind], [a, b], F64, I64)
    body.fail_if(body.b.cmp("eq", ok, body.b.i64(0)))
    return value, Repr.F64


def _power(body: Body, a: Value, b: Value) -> tuple[Value, Repr]:
    """A complex result is the twin's; an error is raised here."""
    value, ok = body.b.call("ppy_f64_pow", [a, b], F64, I64)
    body.fail_if(body.b.cmp("eq", ok, body.b.i64(0)))
    body.deopt_unless(body.b.cmp("eq", ok, body.b.i64(1)))
    return value, Repr.F64


def general_binary(body: Body, op: py.Binary) -> None:
    lhs, rhs = body.obj(op.lhs), body.obj(op.rhs)
    body.enter_frame_for(lhs, rhs)
    if op.kind == "**":
        name = "PyNumber_InPlacePower" if op.inplace else "PyNumber_Power"
        body.define(op.value, body.new(name, lhs, rhs, body.constant(None)))
        return
    if op.kind == "+" and body.gives_away(op.lhs):
        inplace = body.b.i32(int(op.inplace))
        body.define(op.value, body.new("ppy_add_last", body.take(op.lhs), rhs, inplace))
        return
    name = f"PyNumber_{'InPlace' if op.inplace else ''}{NUMBER_API[op.kind]}"
    body.define(op.value, body.new(name, lhs, rhs))


def unary(body: Body, op: py.Unary) -> None:
    kind = body.repr(op.argument)
    if kind is Repr.F64 and op.kind != "~":
        native = body.read(op.argument)
        body.define(op.value, body.b.fneg(native) if op.kind == "-" else native, Repr.F64)
        return
    if not body.general and op.value in body.fn.chains.wrapped:
        word = integers.Operand(body, op.argument).native
        negated = (
            body.b.binary("sub", body.b.i64(0), word) if op.kind == "-" else body.b.binary("xor", word, body.b.i64(-1))
        )
        body.define(op.value, negated, body.repr(op.value))
        return
    warns = op.kind == "~" and kind is Repr.BOOL
    found = integers.unary(body, op.kind, op.argument) if kind in INTEGERS and not warns else None
    if found is not None:
        body.define(op.value, *found)
        return
    argument = body.obj(op.argument)
    body.enter_frame()
    body.define(op.value, body.new(UNARY_API[op.kind], argument))


HANDLERS: Handlers = {py.Binary: binary, py.Unary: unary}
