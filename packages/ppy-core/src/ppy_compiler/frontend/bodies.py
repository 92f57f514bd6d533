"""The beginnings and ends that blocks of code have in common."""

from __future__ import annotations

import ast
import dis
import sys
from types import CodeType
from typing import Any

from ppy_compiler.dialects.py import functions as py
from ppy_compiler.frontend import names
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def return_value(b: FunctionBuilder, value: Value, span: Span) -> None:
    """Let the locals go and return."""
    names.drop_locals(b, span)
    b.end(py.Return(value, span=span))


def finish(b: FunctionBuilder, span: Span) -> None:
    """Return ``None`` if control comes to the end."""
    if b.block is not None:
        return_value(b, b.const(None, span), span)


def docstring(b: FunctionBuilder, body: list[ast.stmt]) -> None:
    """A module or class body stores its docstring first."""
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        if sys.flags.optimize >= 2:
            return
        span = Span.of(first)
        # From 3.13 on the compiler takes indentation away.
        text = stored_constant(b.code, "__doc__") if sys.version_info >= (3, 13) else first.value.value
        names.store(b, "__doc__", b.const(text, span), span)


def stored_constant(code: CodeType, name: str) -> Any:
    """The constant that CPython's code for a class or module stores in ``name``."""
    previous = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_NAME" and instruction.argval == name:
            break
        previous = instruction
    return previous.argval if previous is not None else None
