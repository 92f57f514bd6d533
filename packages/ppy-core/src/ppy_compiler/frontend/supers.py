"""``super().name`` and ``super(a, b).name`` without the intermediate object, where CPython (3.12 and later) does so.

Used on 3.11 too: the meaning is the same, and the form with no arguments needs no look at the running frame.
"""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.frontend import names, places
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.scopes import Kind
from ppy_compiler.ir import Value
from ppy_compiler.support.spans import Span


def load(b: FunctionBuilder, node: ast.Attribute, *, method: bool) -> tuple[Value, Value] | None:
    """The attribute (with ``method``, what ``py.load_method`` gives); ``None`` when ``node`` is nothing of the kind."""
    call = node.value
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "super") or not _applies(
        b, node, call
    ):
        return None
    global_super = names.load(b, "super", Span.of(call.func))
    span = Span.of(call)
    if call.args:
        cls, self = b.expr(call.args[0]), b.expr(call.args[1])
    else:
        b.features.add("super")
        cls = names.load(b, "__class__", span)
        self = names.load(b, b.code.co_varnames[0], span)
    op = py.LoadSuper(
        global_super,
        cls,
        self,
        attribute=b.scope.mangle(node.attr),
        method=method,
        two_arguments=bool(call.args),
        span=places.attribute(node),
    )
    b.emit(op)
    return op.value, op.receiver


def _applies(b: FunctionBuilder, node: ast.Attribute, call: ast.Call) -> bool:
    scope = b.scope
    if (
        call.keywords
        or node.attr == "__class__"
        or not scope.is_function
        or scope.lookup("super").kind is not Kind.GLOBAL
    ):
        return False
    if call.args:
        return len(call.args) == 2 and not any(isinstance(a, ast.Starred) for a in call.args)
    return not scope.inlined and b.code.co_argcount > 0 and scope.lookup("__class__").kind is Kind.FREE
