"""Runs a module of Python IR through the reference functions: the oracle behind ``ppy run --engine interpreter``.

Takes the module operation, the code object that CPython's compiler made from the same source, and the namespace to run
in (a module's ``__dict__``). Guarantees CPython's behaviour, frames and tracebacks included, slower.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from ppy_compiler.dialects.builtin import Module
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.reference import TABLE
from ppy_compiler.dialects.py.reference.code import Program, Record, made_up

FRAMES_PER_CALL = 2
"""Every call of an interpreted function takes this many frames of the recursion limit."""


def run_module(module: Module, code: CodeType | None, namespace: dict[str, Any]) -> None:
    """Run ``module``'s top level in ``namespace``; without ``code`` functions get made-up code objects."""
    program = load_program(module, code)
    top = next(r for r in program.records.values() if r.kind == "module")
    FunctionType(top.body, namespace)()


def load_program(module: Module, code: CodeType | None) -> Program:
    program = Program({}, TABLE)
    for op in module.body.entry.ops:
        assert isinstance(op, Func)
        program.records[op.sym] = Record(op, _original(op, code), program)
    return program


@contextmanager
def recursion_limits() -> Iterator[None]:
    """Inside, ``sys.setrecursionlimit`` counts calls of the program, although each takes several frames."""
    set_limit, get_limit = sys.setrecursionlimit, sys.getrecursionlimit
    before = shown = get_limit()

    def setrecursionlimit(limit: int, /) -> None:
        nonlocal shown
        set_limit(limit * FRAMES_PER_CALL if isinstance(limit, int) and 0 < limit < 2**29 else limit)
        shown = limit

    sys.setrecursionlimit, sys.getrecursionlimit = setrecursionlimit, lambda: shown
    set_limit(shown * FRAMES_PER_CALL)
    try:
        yield
    finally:
        sys.setrecursionlimit, sys.getrecursionlimit = set_limit, get_limit
        set_limit(before)


def _original(op: Func, code: CodeType | None) -> CodeType:
    if code is None:
        return made_up(op)
    for index in op.code:
        code = code.co_consts[index]
    return code
