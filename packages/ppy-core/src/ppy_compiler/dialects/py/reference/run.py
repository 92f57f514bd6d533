"""Runs a module of Python IR through the reference functions: the oracle behind ``ppy run --engine interpreter``.

Takes the module operation, the code object that CPython's compiler made from the same source, and the namespace to run
in (a module's ``__dict__``). Guarantees CPython's behaviour, frames and tracebacks included, slower.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from ppy_compiler.dialects.builtin import Module
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.reference import TABLE
from ppy_compiler.dialects.py.reference.functions import Program, Record

FRAMES_PER_CALL = 2
"""Every call of an interpreted function takes this many frames of the recursion limit."""
CO_OPTIMIZED, CO_NEWLOCALS = 0x1, 0x2
FLAVOR_FLAGS = {"plain": 0, "generator": 0x20, "coroutine": 0x80, "async_generator": 0x200}


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
        return _made_up(op)
    for index in op.code:
        code = code.co_consts[index]
    return code


def _made_up(op: Func) -> CodeType:
    """A code object with the operation's name and signature, for IR that was not made from source."""
    uses: list[ast.stmt] = [ast.Expr(ast.Name(v, ast.Load())) for v in op.freevars]
    define: Any = ast.FunctionDef
    function = define("function", _signature(op), uses or [ast.Pass()], [])
    free = ast.arguments([], [ast.arg(v) for v in op.freevars], None, [], [], None, [])
    outer = define("outer", free, [function], [])
    function.type_params = outer.type_params = []
    module = compile(ast.fix_missing_locations(ast.Module([outer], [])), "<ir>", "exec", dont_inherit=True)
    made: CodeType = next(c for c in module.co_consts if isinstance(c, CodeType))
    made = next(c for c in made.co_consts if isinstance(c, CodeType))
    if op.kind == "class":
        made = made.replace(co_flags=made.co_flags & ~(CO_OPTIMIZED | CO_NEWLOCALS))
    name = op.qualname.rpartition(".")[2]
    return made.replace(co_name=name, co_qualname=op.qualname, co_flags=made.co_flags | FLAVOR_FLAGS[op.flavor])


def _signature(op: Func) -> ast.arguments:
    params = [ast.arg(p) for p in op.params]
    positional, rest = params[op.posonly : op.positional], params[op.positional :]
    keyword_only, rest = rest[: op.kwonly], rest[op.kwonly :]
    vararg = rest.pop(0) if op.vararg else None
    kwarg = rest.pop(0) if op.kwarg else None
    return ast.arguments(params[: op.posonly], positional, vararg, keyword_only, [None] * len(keyword_only), kwarg, [])
