"""Calls.

Builtins that look at their caller's variables (``FRAME_READERS``) are given the namespace that CPython would show them.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from functools import partial
from types import CellType
from typing import Any

from ppy_compiler.dialects.py import calls, names
from ppy_compiler.dialects.py.reference.instructions import merge_keywords, unseen
from ppy_compiler.dialects.py.reference.names import NAMESPACE, UNBOUND, cell_parameter
from ppy_compiler.ir.core import OpResult, Value
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import call, load

FRAME_READERS = frozenset({"locals", "vars", "dir", "eval", "exec", "super"})


@unseen
def reader_call(
    callee: Any, scope: dict[str, Any], namespace: Any, first: tuple[Any, ...], *args: Any, **kwargs: Any
) -> Any:
    """A call, not made yet, of what may be a builtin that looks at its caller, whose globals, variables and first
    argument are given. The caller itself makes it: ``eval`` and ``exec`` take the ``__future__`` flags from there."""
    if callee in (builtins.eval, builtins.exec) and args:
        if (len(args) < 2 and kwargs.keys() <= {"closure"}) or (len(args) < 3 and args[1] is None):
            args = (args[0], scope, namespace)
        elif len(args) == 3 and args[1] is None:
            args = (args[0], scope, namespace if args[2] is None else args[2])
    elif not args and not kwargs:
        if callee is builtins.super and first:
            return partial(callee, *_super_arguments(first))
        if callee is builtins.dir:
            return partial(sorted, namespace)
        if callee in (builtins.locals, builtins.vars):
            return partial(_same, namespace)
    return partial(callee, *args, **kwargs)


@unseen
def _same(thing: Any) -> Any:
    return thing


@unseen
def _super_arguments(first: tuple[Any, ...]) -> tuple[Any, Any]:
    cell, *receiver = first
    if not receiver:
        raise RuntimeError("super(): no arguments")
    if receiver[0] is UNBOUND:
        raise RuntimeError("super(): arg[0] deleted")
    cls = content(cell)
    if cls is UNBOUND:
        raise RuntimeError("super(): empty __class__ cell")
    return cls, receiver[0]


@unseen
def content(cell: CellType) -> Any:
    """What a cell holds, or the null marker."""
    try:
        return cell.cell_contents
    except ValueError:
        return UNBOUND


@unseen
def snapshot(variables: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    """The mapping that ``locals()`` gives: bound variables only."""
    return {var: value for var, value in zip(variables, values, strict=True) if value is not UNBOUND}


@unseen
def super_object(function: Any, cls: Any, receiver: Any, two_arguments: bool) -> Any:
    return function(cls, receiver) if two_arguments or function is builtins.super else function()


def _arguments(args: Any, kwnames: tuple[str, ...], e: Emitter) -> dict[str, Any]:
    split = len(args) - len(kwnames)
    positional = e.values(args[:split])
    keywords = [ast.keyword(n, e.value(v)) for n, v in zip(kwnames, args[split:], strict=True)]
    return {"args": positional, "keywords": keywords}


def _reads_frame(callee: Value) -> bool:
    made_by = callee.op if isinstance(callee, OpResult) else None
    loads = names.LoadGlobal | names.LoadName | names.LoadNameOrGlobal
    return isinstance(made_by, loads) and made_by.var in FRAME_READERS


def plain_call(op: calls.Call, e: Emitter) -> Meaning:
    callee = e.value(op.callee)
    arguments = _arguments(op.args, op.kwnames, e)
    if not _reads_frame(op.callee):
        return ast.Call(callee, **arguments)
    scope = e.call(globals)
    leading = [callee, scope, e.context.namespace(op, e), e.context.super_arguments(op, e)]
    return call(ast.Call(e.object(reader_call), leading + arguments["args"], arguments["keywords"]))


def load_method(op: calls.LoadMethod, e: Emitter) -> Meaning:
    e.alias(op.receiver, lambda: e.object(UNBOUND))
    return ast.Attribute(e.value(op.object), op.attribute, ast.Load())


def call_method(op: calls.CallMethod, e: Emitter) -> Meaning:
    """``py.load_method`` binds here, so the receiver is always the null marker."""
    method = e.value(op.method)
    return ast.Call(method, **_arguments(op.args, op.kwnames, e))


def call_ex(op: calls.CallEx, e: Emitter) -> Meaning:
    callee, args = e.value(op.callee), e.value(op.args)
    keywords = [ast.keyword(None, e.value(op.kwargs))] if op.kwargs is not None else []
    starred: ast.expr = ast.Starred(args, ast.Load())
    if not _reads_frame(op.callee):
        return ast.Call(callee, [starred], keywords)
    leading = [callee, e.call(globals), e.context.namespace(op, e), e.context.super_arguments(op, e)]
    return call(ast.Call(e.object(reader_call), [*leading, starred], keywords))


def load_super(op: calls.LoadSuper, e: Emitter) -> Meaning:
    e.alias(op.receiver, lambda: e.object(UNBOUND))
    made = e.call(super_object, *e.values(op.operands), ast.Constant(op.two_arguments))
    return ast.Attribute(made, op.attribute, ast.Load())


def dict_merge(op: Any, e: Emitter) -> Meaning:
    return [ast.Expr(e.call(merge_keywords, *e.values(op.operands)))]


def namespace_of(variables: Mapping[str, ast.expr], e: Emitter) -> ast.expr:
    """An expression for a function's ``locals()``."""
    shown = ast.Tuple(list(variables.values()), ast.Load())
    return e.call(snapshot, ast.Tuple([ast.Constant(v) for v in variables], ast.Load()), shown)


def class_namespace() -> ast.expr:
    return load(NAMESPACE)


def class_cell() -> ast.expr:
    return load(cell_parameter("__class__"))


TABLE = {
    calls.Call: Reference(plain_call),
    calls.LoadMethod: Reference(load_method),
    calls.CallMethod: Reference(call_method),
    calls.CallEx: Reference(call_ex),
    calls.LoadSuper: Reference(load_super),
}
