"""Imports."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import cache
from typing import Any

from ppy_compiler.dialects.py import imports
from ppy_compiler.dialects.py.reference.instructions import PYTHON, instruction, instruction_code, intrinsic, unseen
from ppy_compiler.dialects.py.reference.names import NAMESPACE
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import load


@unseen
def builtin(scope: dict[str, Any], name: str) -> Any:
    """``name`` among the builtins of the code whose globals are ``scope``, or ``None``."""
    namespace = scope.get("__builtins__", builtins)
    return (namespace if isinstance(namespace, dict) else vars(namespace)).get(name)


@unseen
def import_module(scope: dict[str, Any], module: str, fromlist: tuple[str, ...] | None, level: int) -> Any:
    function = builtin(scope, "__import__")
    if function is None:
        raise ImportError("__import__ not found")
    return function(module, scope, None, fromlist, level)


@cache
def name_importer(var: str) -> Callable[[Any], Any]:
    return instruction(1, ("IMPORT_FROM", 0), names=(var,))


STAR = ("IMPORT_STAR", 0) if PYTHON < (3, 12) else intrinsic(1, "INTRINSIC_IMPORT_STAR")


@unseen
def import_star(module: Any, scope: dict[str, Any], namespace: Any) -> None:
    done = [] if PYTHON < (3, 12) else [("POP_TOP", 0)]
    code = instruction_code(0, [("LOAD_CONST", 1), STAR, *done, ("LOAD_CONST", 0)])
    flags = code.co_flags & ~0x3  # Neither fast locals nor a namespace of its own: the frame's is the one given.
    exec(code.replace(co_consts=(None, module), co_flags=flags), scope, namespace)


def import_name(op: imports.ImportName, e: Emitter) -> Meaning:
    arguments = [ast.Constant(a) for a in (op.module, op.fromlist, op.level)]
    return e.call(import_module, e.call(globals), *arguments)


def import_from(op: imports.ImportFrom, e: Emitter) -> Meaning:
    return e.call(name_importer(op.var), e.value(op.module))


def star(op: imports.ImportStar, e: Emitter) -> Meaning:
    namespace = load(NAMESPACE) if e.context.kind == "class" else e.call(globals)
    return [ast.Expr(e.call(import_star, e.value(op.module), e.call(globals), namespace))]


TABLE = {
    imports.ImportName: Reference(import_name),
    imports.ImportFrom: Reference(import_from),
    imports.ImportStar: Reference(star),
}
