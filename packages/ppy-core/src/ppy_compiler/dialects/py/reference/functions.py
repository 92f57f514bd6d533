"""Function objects, classes, type parameters.

A function made here is an ordinary function whose code object is the one CPython made for it, except for its
instructions: these call the decoded body (``Record.body``) with the parameters and the closure's cells. So
signature, name, closure, flags, pickling and all else hold, and assigning to ``__code__`` works.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from functools import cached_property
from types import CellType, CodeType, FunctionType
from typing import Any

from ppy_compiler.dialects.py import functions, names
from ppy_compiler.dialects.py.reference.calls import class_cell, class_namespace, namespace_of
from ppy_compiler.dialects.py.reference.imports import builtin
from ppy_compiler.dialects.py.reference.instructions import (
    PYTHON,
    Instruction,
    assemble,
    call_sequence,
    instruction_code,
    intrinsic,
    push,
    unseen,
)
from ppy_compiler.dialects.py.reference.names import NAMESPACE, cell_parameter
from ppy_compiler.ir.core import BlockArgument, Operation, OpResult, Value
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import load
from ppy_compiler.support.spans import Span


@dataclass(frozen=True)
class Record:
    """One ``py.func`` of a program; ``program`` finds the others, ``original`` is CPython's code object for it."""

    op: functions.Func
    original: CodeType
    program: Program

    @property
    def kind(self) -> str:
        return self.op.kind

    @cached_property
    def body(self) -> CodeType:
        """The decoded function: takes a class body's namespace, the parameters, the cells of the free variables."""
        op, region = self.op, self.op.body
        emitter = Emitter(region, self.program.table, self)
        names_of_parameters = [emitter.name(a) for a in region.entry.args]
        if "__class__" in op.freevars and region.entry.args:
            emitter.kept.add(region.entry.args[0])
        statements = emitter.code()
        if op.flavor in ("generator", "async_generator"):
            statements.append(ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], []))
        if emitter.globals:
            statements.insert(0, ast.Global(sorted(emitter.globals)))
        leading = [NAMESPACE] if op.kind == "class" else []
        parameters = [*leading, *names_of_parameters, *map(cell_parameter, op.freevars)]
        code = _compile(statements, parameters, op.flavor, self.original)
        return code.replace(co_consts=emitter.constants(code.co_consts))

    @cached_property
    def code(self) -> CodeType:
        """The code object of the function objects that the program sees."""
        original = self.original
        parameters = len(self.op.body.entry.args)
        own_locals = len(original.co_varnames) + len([c for c in original.co_cellvars if c not in original.co_varnames])
        arguments: list[Instruction] = []
        if self.op.kind == "class":
            arguments += _load_namespace(len(original.co_consts) + 1)
        for number in range(parameters):
            arguments += [("LOAD_FAST", number), ("DELETE_FAST", number)]
        arguments += push(*range(own_locals, own_locals + len(original.co_freevars)))
        count = (self.op.kind == "class") + parameters + len(original.co_freevars)
        make_body = [("LOAD_CONST", len(original.co_consts)), ("MAKE_FUNCTION", 0)]
        copy_cells = [("COPY_FREE_VARS", len(original.co_freevars))] if original.co_freevars else []
        return original.replace(
            co_code=assemble([*copy_cells, *call_sequence(count, *make_body, args=arguments), ("RETURN_VALUE", 0)]),
            co_consts=(*original.co_consts, self.body, locals),
            co_stacksize=count + 8,
            co_exceptiontable=b"",
        )

    def namespace(self, op: Operation, e: Emitter) -> ast.expr:
        """What ``locals()`` gives at ``op``."""
        if self.op.kind == "class":
            return class_namespace()
        if self.op.kind == "module":
            return e.call(globals)
        e.settle()
        live = e.live_at(op)
        variables: dict[str, ast.expr] = {}
        for value in [v for v in (*self.op.body.entry.args, *live) if v in live]:
            for var in _variables(value, self.op):
                variables[var] = e.value(value)
        variables.update({var: load(cell_parameter(var)) for var in self.op.freevars})
        return namespace_of({v: variables[v] for v in sorted(variables) if v.isidentifier()}, e)

    def super_arguments(self, e: Emitter) -> ast.expr:
        """The ``__class__`` cell and the first argument, for ``super()``; empty where there is none."""
        if "__class__" not in self.op.freevars:
            return ast.Tuple([], ast.Load())
        first = [load(e.name(a)) for a in self.op.body.entry.args[:1]]
        return ast.Tuple([class_cell(), *first], ast.Load())


def _variables(value: Value, function: functions.Func) -> set[str]:
    """The local variables that ``value`` is bound to, as far as the IR tells."""
    bound = {use.user.var for use in value.uses if isinstance(use.user, names.Drop)}
    if isinstance(value, OpResult) and isinstance(value.op, names.MakeCell):
        bound.add(value.op.var)
    if isinstance(value, BlockArgument) and value.block is function.body.entry:
        bound.add(function.params[value.index])
    return bound


@dataclass(frozen=True)
class Program:
    """The functions of one module by their symbols."""

    records: dict[str, Record]
    table: dict[type[Operation], Reference]


def _load_namespace(locals_const: int) -> list[Instruction]:
    """Push the running frame's namespace. Before 3.12 the builtin ``locals`` is the way."""
    if PYTHON >= (3, 12):
        return [("LOAD_LOCALS", 0)]
    return call_sequence(0, ("LOAD_CONST", locals_const), args=())


def _compile(body: list[ast.stmt], parameters: list[str], flavor: str, original: CodeType) -> CodeType:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    node: type[Any] = ast.AsyncFunctionDef if flavor in ("coroutine", "async_generator") else ast.FunctionDef
    function = node(name="function", args=arguments, body=body, decorator_list=[])
    function.type_params = []
    function.lineno = function.end_lineno = original.co_firstlineno
    function.col_offset = function.end_col_offset = 0
    for statement in body:
        _place(statement, original.co_firstlineno)
    for argument in arguments.args:
        _place(argument, original.co_firstlineno)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Constants that stand for objects look like mistakes to the compiler.
        module = compile(ast.Module([function], []), original.co_filename, "exec", dont_inherit=True)
    code = next(c for c in module.co_consts if isinstance(c, CodeType))
    return code.replace(co_name=original.co_name, co_qualname=original.co_qualname)


PLACED = (ast.expr, ast.stmt, ast.arg, ast.excepthandler, ast.keyword)


def _place(node: ast.AST, line: int) -> None:
    """A place for what has none."""
    for inner in ast.walk(node):
        if isinstance(inner, PLACED) and not hasattr(inner, "lineno"):
            inner.lineno, inner.col_offset, inner.end_lineno, inner.end_col_offset = Span(line, 0, line, 0)


@unseen
def make_function(
    record: Record, scope: dict[str, Any], defaults: Any, kwdefaults: Any, annotations: Any, *closure: CellType
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
