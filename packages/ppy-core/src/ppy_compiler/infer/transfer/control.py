"""Terminators without results: the engine follows their edges (``narrowing.condition_edges``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py.functions import Return
from ppy_compiler.infer import effects as fx
from ppy_compiler.ir import Operation

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer


def nothing(op: Operation, env: FunctionAnalysis) -> Answer:
    return (), fx.QUIET


TABLE = {cf.Br: nothing, cf.CondBr: nothing, cf.Unreachable: nothing, Return: nothing}
