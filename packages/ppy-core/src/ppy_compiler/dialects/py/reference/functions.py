"""Function objects, classes, type parameters."""

from __future__ import annotations

import ast
from types import CellType, FunctionType
from typing import Any

from ppy_compiler.dialects.py import functions
from ppy_compiler.dialects.py.reference.imports import builtin
from ppy_compiler.dialects.py.reference.instructions import instruction_code, intrinsic, push, unseen
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference


@unseen
def make_function(
    record: Any, scope: dict[str, Any], defaults: Any, kwdefaults: Any, annotations: Any, *closure: CellType
) -> FunctionType:
    function = FunctionType(record.code, scope, record.code.co_name, defaults, closure or None)
    if kwdefaults is not None:
        function.__kwdefaults__ = kwdefaults
    if annotations is not None:
        function.__annotations__ = dict(zip(annotations[::2], annotations[1::2], strict=True))
    return function


def function_object(op: functions.MakeFunction, e: Emitter) -> Meaning:
    record = e.context.program.records[op.func]
    parts = [ast.Constant(None) if v is None else e.value(v) for v in (op.defaults, op.kwdefaults, op.annotations)]
    return e.call(make_function, e.object(record), e.call(globals), *parts, *e.values(op.closure))


@unseen
def build_class_function(scope: dict[str, Any]) -> Any:
    function = builtin(scope, "__build_class__")
    if function is None:
        raise NameError("__build_class__ not found")
    return function


def load_build_class(op: functions.LoadBuildClass, e: Emitter) -> Meaning:
    return e.call(build_class_function, e.call(globals))


BINARY_INTRINSICS = {
    "typevar_with_bound",
    "typevar_with_constraints",
    "set_function_type_params",
    "set_typeparam_default",
}


def type_intrinsic(op: functions.TypeIntrinsic, e: Emitter) -> Meaning:
    """Run with the module's globals, because type parameters take their ``__module__`` from the running function."""
    count = 2 if op.kind in BINARY_INTRINSICS else 1
    code = instruction_code(count, [*push(*range(count)), intrinsic(count, f"INTRINSIC_{op.kind.upper()}")])
    function = e.call(FunctionType, e.object(code), e.call(globals))
    return ast.Call(function, e.values(op.args), [])


TABLE = {
    functions.MakeFunction: Reference(function_object),
    functions.LoadBuildClass: Reference(load_build_class),
    functions.TypeIntrinsic: Reference(type_intrinsic),
}
