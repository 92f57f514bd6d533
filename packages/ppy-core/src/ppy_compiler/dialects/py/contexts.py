"""Context managers."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import RUNS
from ppy_compiler.ir import Op, attr, operand, result
from ppy_compiler.ir.types import OBJECT


class WithEnter(Op):
    """Look up ``__enter__`` and ``__exit__`` on the type as CPython does, call the first: the bound exit and the
    entered value.

    ``is_async``: ``__aenter__``/``__aexit__``; the second result is then the awaitable.
    """

    name = "py.with_enter"
    traits = RUNS
    is_async = attr(bool, False)
    manager = operand()
    exit = result(OBJECT)
    value = result(OBJECT)


class WithExit(Op):
    """Call ``exit`` with the type, value and traceback of ``exception``, or with three ``None`` when it is
    ``None``."""

    name = "py.with_exit"
    traits = RUNS
    exit = operand()
    exception = operand()
    value = result(OBJECT)


OPS = (WithEnter, WithExit)
