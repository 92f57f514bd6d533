"""The dialect `foolib`: operations that calls of the library become, and what these become in turn."""

from __future__ import annotations

from ppy_compiler.dialects import arith
from ppy_compiler.ir import Op, Trait, operand, result
from ppy_compiler.ir.rewrite import Rewriter
from ppy_compiler.ir.types import F64


class Cube(Op):
    """``argument * argument * argument``."""

    name = "foolib.cube"
    traits = Trait.PURE
    argument = operand()
    value = result(F64)


OPS = (Cube,)


def lower_cube(op: Cube, rewriter: Rewriter) -> bool:
    square = arith.Binary(op.argument, op.argument, kind="fmul", types=[F64])
    cube = arith.Binary(square.value, op.argument, kind="fmul", types=[F64])
    rewriter.insert_before(op, square, cube)
    rewriter.replace(op, None, [cube.value])
    return True
