"""Imports."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import RUNS
from ppy_compiler.ir import Op, attr, operand, result
from ppy_compiler.ir.types import OBJECT


class ImportName(Op):
    """``__import__(module, globals, None, fromlist, level)``; ``fromlist`` is a tuple or ``None``."""

    name = "py.import_name"
    traits = RUNS
    module = attr(str)
    level = attr(int, 0)
    fromlist = attr(None, None)
    value = result(OBJECT)


class ImportFrom(Op):
    """One name out of an imported module, with CPython's fallback through ``sys.modules`` and its ImportError."""

    name = "py.import_from"
    traits = RUNS
    var = attr(str)
    module = operand()
    value = result(OBJECT)


class ImportStar(Op):
    """All public names of ``module`` into the module's (or class body's) namespace."""

    name = "py.import_star"
    traits = RUNS
    module = operand()


OPS = (ImportName, ImportFrom, ImportStar)
