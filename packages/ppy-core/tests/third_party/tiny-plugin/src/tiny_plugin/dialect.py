"""The dialect `tiny`, and what its operations become."""

from __future__ import annotations

from ppy_compiler.dialects import arith, func
from ppy_compiler.ir import Op, OpResult, Trait, attr, operand, result
from ppy_compiler.ir.rewrite import Rewriter
from ppy_compiler.ir.types import F64, I1, OBJECT


class Seen(Op):
    """Marks a module that the plugin's pass has seen."""

    name = "tiny.seen"
    by = attr(str)


class Power(Op):
    """``argument`` to the power ``exponent``, multiplied from the left."""

    name = "tiny.power"
    traits = Trait.PURE
    exponent = attr(int)
    argument = operand()
    value = result(F64)


class Quotient(Op):
    """``a / b``; declines to divide by zero."""

    name = "tiny.quotient"
    traits = Trait.PURE
    a = operand()
    b = operand()
    value = result(F64)
    done = result(I1)


class Same(Op):
    """Whether two objects are one."""

    name = "tiny.same"
    traits = Trait.PURE
    a = operand()
    b = operand()
    value = result(I1)


class Pick(Op):
    """One of two objects."""

    name = "tiny.pick"
    flag = operand()
    a = operand()
    b = operand()
    value = result(OBJECT)


class Left(Op):
    """An operation that nothing lowers."""

    name = "tiny.left"
    argument = operand()
    value = result(F64)


OPS = (Seen, Power, Quotient, Same, Pick, Left)


def square_of_constant(op: Power, rewriter: Rewriter) -> bool:
    """The square of a constant is a constant."""
    made = op.argument.op if isinstance(op.argument, OpResult) else None
    if not isinstance(made, arith.Const):
        return False
    value = made.literal
    for _ in range(op.exponent - 1):
        value *= made.literal
    constant = arith.Const(literal=value, types=[F64])
    rewriter.replace(op, constant, [constant.value])
    return True


def lower_power(op: Power, rewriter: Rewriter) -> bool:
    value = op.argument
    for _ in range(op.exponent - 1):
        product = arith.Binary(value, op.argument, kind="fmul", types=[F64])
        rewriter.insert_before(op, product)
        value = product.value
    rewriter.replace(op, None, [value])
    return True


def lower_quotient(op: Quotient, rewriter: Rewriter) -> bool:
    zero = arith.Const(literal=0.0, types=[F64])
    done = arith.Cmp(op.b, zero.value, kind="one")
    divided = arith.Binary(op.a, op.b, kind="fdiv", types=[F64])
    rewriter.insert_before(op, zero, done, divided)
    rewriter.replace(op, None, [divided.value, done.value])
    return True


def lower_same(op: Same, rewriter: Rewriter) -> bool:
    same = arith.Cmp(op.a, op.b, kind="eq")
    rewriter.replace(op, same, [same.value])
    return True


def lower_pick(op: Pick, rewriter: Rewriter) -> bool:
    chosen = arith.Select(op.flag, op.a, op.b, types=[OBJECT])
    rewriter.insert_before(op, chosen, func.Call((chosen.value,), callee="ppy_incref", types=()))
    rewriter.replace(op, None, [chosen.value])
    return True
