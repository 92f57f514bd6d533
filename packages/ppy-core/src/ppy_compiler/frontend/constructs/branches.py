"""``if`` and ``assert``."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import calls as py_calls
from ppy_compiler.dialects.py import exceptions as py
from ppy_compiler.frontend import places
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.conditions import branch_on


def if_(b: FunctionBuilder, node: ast.If) -> None:
    then, otherwise, end = b.new_block("then"), b.new_block("else"), b.new_block("end")
    branch_on(b, node.test, then, otherwise if node.orelse else end, node)
    if b.enter(then):
        b.body(node.body)
        b.jump(end)
    if node.orelse and b.enter(otherwise):
        b.body(node.orelse)
        b.jump(end)
    b.enter(end)


def assert_(b: FunctionBuilder, node: ast.Assert) -> None:
    if not b.module.asserts:
        return
    passed, failed = b.new_block("passed"), b.new_block("failed")
    branch_on(b, node.test, passed, failed, node)
    if b.enter(failed):
        span, at = places.failed_assertion(node)
        error = b.emit(py.LoadAssertionError(span=span)).value
        if node.msg is not None:
            error = b.emit(py_calls.Call(error, [b.expr(node.msg)], span=span)).value
        b.end(py.Raise(error, None, span=at))
    b.enter(passed)


TABLE = {ast.If: if_, ast.Assert: assert_}
