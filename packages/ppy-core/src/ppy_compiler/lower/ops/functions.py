"""Making functions and classes."""

from __future__ import annotations

from ppy_compiler.dialects.py import functions as py
from ppy_compiler.ir import Value
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.handler import Handlers


def make_function(body: Body, op: py.MakeFunction) -> None:
    b = body.b

    def optional(value: Value | None) -> Value:
        return b.null() if value is None else body.obj(value)

    parts = [optional(value) for value in (op.defaults, op.kwdefaults, op.annotations)]
    closure = b.null()
    if op.closure:
        closure = body.new("ppy_make_tuple", body.vector(op.closure), b.i64(len(op.closure)))
        body.keep_temp(closure)
    number = b.i64(body.fn.unit.code_number(body.fn.unit.sources[op.func]))
    body.define(op.value, body.new("ppy_make_function", body.unit, number, *parts, closure))


def load_build_class(body: Body, op: py.LoadBuildClass) -> None:
    body.define(op.value, body.new("ppy_load_build_class", body.unit))


HANDLERS: Handlers = {py.MakeFunction: make_function, py.LoadBuildClass: load_build_class}
