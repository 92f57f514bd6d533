"""Exceptions of signal handlers that strike between blocks.

CPython looks for signals at backward jumps. In decoded code every way on to another block is such a jump, outside
the ``try`` that the program's own jump is in. So what strikes there is caught around the loop, kept in
``%interrupts`` and raised at the start of the block that was being entered, from where it unwinds like that block's
first operation.
"""

from __future__ import annotations

import ast
import opcode
from collections.abc import Callable

from ppy_compiler.ir.syntax import assign, call, load, store

INTERRUPTS = "%interrupts"
JUMP = opcode.opmap["JUMP_BACKWARD"]


def struck_between_blocks(error: BaseException) -> bool:
    """Whether ``error``, caught in the frame it was raised in, came at a jump; if so the jump leaves its traceback."""
    traceback = error.__traceback__
    if traceback is None or traceback.tb_frame.f_code.co_code[traceback.tb_lasti] != JUMP:
        return False
    error.__traceback__ = traceback.tb_next
    return True


def guarded(loop: ast.While, constant: Callable[[object], ast.expr]) -> list[ast.stmt]:
    """``loop`` inside what keeps such exceptions and goes on."""
    keep = ast.Expr(call(ast.Attribute(load(INTERRUPTS), "append", ast.Load()), load("%e")))
    test = call(constant(struck_between_blocks), load("%e"))
    clause = ast.ExceptHandler(constant(BaseException), "%e", [ast.If(test, [keep], [ast.Raise(None, None)])])
    # Up to 3.12 a jump counts as being just before its target when CPython looks for the handler.
    before = assign([store("%entered")], ast.Constant(True))
    outer = ast.While(ast.Constant(True), [ast.Try([before, loop], [clause], [], [])], [])
    return [assign([store(INTERRUPTS)], ast.List([], ast.Load())), outer]


def strike() -> ast.stmt:
    """At the start of a block: raise what struck on the way to it."""
    kept = call(ast.Attribute(load(INTERRUPTS), "pop", ast.Load()))
    return ast.If(load(INTERRUPTS), [ast.Raise(kept, None)], [])
