"""f-strings."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import ALLOCATES, RUNS
from ppy_compiler.ir import Op, attr, operand, operands, opt_operand, result
from ppy_compiler.ir.types import OBJECT


class FormatValue(Op):
    """``format(conversion(value), spec)``; ``conversion``: empty, ``s``, ``r`` or ``a``."""

    name = "py.format_value"
    traits = RUNS
    conversion = attr(str, "")
    argument = operand()
    spec = opt_operand()
    value = result(OBJECT)


class BuildString(Op):
    """Concatenation of strings."""

    name = "py.build_string"
    traits = ALLOCATES
    parts = operands()
    value = result(OBJECT)


OPS = (FormatValue, BuildString)
