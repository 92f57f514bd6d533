"""Annotations: evaluated where CPython evaluates them, or kept as text under ``from __future__ import annotations``."""

from __future__ import annotations
import __future__

import ast

from ppy_compiler.dialects.py import containers as py_containers
from ppy_compiler.dialects.py import operators as py
from ppy_compiler.frontend import names
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.support.spans import Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def evaluate(b: FunctionBuilder, annotation: ast.expr) -> Value:
    if b.module.symbols.text_annotations:
        return b.const(as_cpython_writes(annotation), Span.of(annotation))
    if isinstance(annotation, ast.Starred):
        iterable = b.expr(annotation.value)
        return b.emit(py_containers.Unpack(iterable, types=[OBJECT], span=Span.of(annotation))).results[0]
    return b.expr(annotation)


def record(b: FunctionBuilder, node: ast.AnnAssign, target: ast.Name) -> None:
    """``__annotations__[name] = annotation`` in a module or class body."""
    value = evaluate(b, node.annotation)
    span = Span.of(node)
    mapping = names.load(b, "__annotations__", span)
    b.emit(py.SetItem(mapping, b.const(b.scope.mangle(target.id), span), value, span=span))


def of_function(b: FunctionBuilder, node: FunctionNode) -> Value | None:
    """The flat tuple of names and values that makes a function's ``__annotations__``, in CPython's order."""
    args = node.args
    ordered = [*args.args, *args.posonlyargs, args.vararg, *args.kwonlyargs, args.kwarg]
    items: list[Value] = []
    span = Span.of(node)
    pairs = [(a.arg, a.annotation) for a in ordered if a is not None]
    for name, annotation in [*pairs, ("return", node.returns)]:
        if annotation is not None:
            items += [b.const(b.scope.mangle(name), span), evaluate(b, annotation)]
    return b.emit(py_containers.BuildTuple(items, span=span)).value if items else None


def sources(node: FunctionNode) -> tuple[tuple[str, str], ...]:
    """Parameter name or ``return`` and the annotation's source text, for the checker."""
    args = node.args
    ordered = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    pairs = [(a.arg, a.annotation) for a in ordered if a is not None]
    return tuple([(name, _text(a)) for name, a in [*pairs, ("return", node.returns)] if a is not None])


def _text(annotation: ast.expr) -> str:
    return annotation.id if isinstance(annotation, ast.Name) else ast.unparse(annotation)


def as_cpython_writes(annotation: ast.expr) -> str:
    """The text that CPython's compiler keeps of an annotation; ``ast.unparse`` writes some expressions otherwise."""
    if isinstance(annotation, ast.Name):
        return annotation.id
    target = ast.Name("x", ast.Store(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=1)
    statement = ast.AnnAssign(target, annotation, None, 1)
    ast.copy_location(statement, annotation)
    flags = __future__.annotations.compiler_flag
    code = compile(ast.Module([statement], []), "", "exec", flags=flags, dont_inherit=True)
    return next(c for c in code.co_consts if isinstance(c, str))
