"""The code objects of interpreted functions.

A plain function keeps the code object that CPython's compiler made for it, except for its instructions: these call
the decoded body with the parameters and the closure's cells, in a frame that nobody sees. So signature, name, closure,
flags, pickling and all else hold, and assigning to ``__code__`` works. Generators and coroutines refer to the code that
they run, so the decoded body is that of the function itself there.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Any

from ppy_compiler.dialects.py import functions, names
from ppy_compiler.dialects.py.reference.calls import class_cell, class_namespace, content, namespace_of
from ppy_compiler.dialects.py.reference.instructions import (
    PYTHON,
    Instruction,
    call_sequence,
    push,
    replace_instructions,
)
from ppy_compiler.dialects.py.reference.names import NAMESPACE, UNBOUND, cell_parameter
from ppy_compiler.ir.core import BlockArgument, Operation, OpResult, Successor, Value
from ppy_compiler.ir.interpreter import Emitter, Reference
from ppy_compiler.ir.syntax import assign, load, store
from ppy_compiler.ir.types import CELL
from ppy_compiler.support.spans import Span

FUTURE_FLAGS = 0x1FE0000
"""The flags of ``from __future__`` imports: code compiled by ``eval`` and ``exec`` takes them from its caller."""
GLOBALS = (names.LoadGlobal, names.StoreGlobal, names.DelGlobal, names.LoadNameOrGlobal)
PLACED = (ast.expr, ast.stmt, ast.arg, ast.excepthandler, ast.keyword)


@dataclass(frozen=True)
class Program:
    """The functions of one module by their symbols."""

    records: dict[str, Record]
    table: dict[type[Operation], Reference]


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
    def code(self) -> CodeType:
        """The code object of the function objects that the program sees."""
        return _calling(self) if self.op.flavor == "plain" else self.body

    @cached_property
    def body(self) -> CodeType:
        """The decoded function."""
        op = self.op
        given: dict[Value, str] = {} if op.flavor == "plain" else dict(zip(op.body.entry.args, op.params, strict=True))
        emitter = Emitter(op.body, self.program.table, self, _own_names(op), given)
        if op.flavor == "plain":
            leading = [NAMESPACE] if op.kind == "class" else []
            own = [emitter.name(a) for a in op.body.entry.args]
            parameters = [ast.arg(p) for p in (*leading, *own, *map(cell_parameter, op.freevars))]
            arguments = ast.arguments([], parameters, None, [], [], None, [])
        else:
            arguments = signature(op)
        statements = emitter.code()
        if op.flavor in ("generator", "async_generator"):
            statements.append(ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], []))
        if emitter.globals:
            statements.insert(0, ast.Global(sorted(emitter.globals)))
        if op.flavor != "plain":
            statements[:0] = _docstring(self.original) + [_fetch_cell(var) for var in op.freevars]
        code = _compile(op, statements, arguments, self.original)
        return code.replace(co_consts=emitter.constants(code.co_consts))

    def namespace(self, op: Operation, e: Emitter) -> ast.expr:
        """What ``locals()`` gives at ``op``."""
        if self.op.kind == "class":
            return class_namespace()
        if self.op.kind == "module":
            return e.call(globals)
        variables = self._bindings(op, e)
        return namespace_of({v: variables[v] for v in sorted(variables) if v.isidentifier()}, e)

    def super_arguments(self, op: Operation, e: Emitter) -> ast.expr:
        """The ``__class__`` cell and the first argument, for ``super()``; empty where there is none."""
        if "__class__" not in self.op.freevars:
            return ast.Tuple([], ast.Load())
        first: list[ast.expr] = []
        if self.op.positional:
            first = [self._bindings(op, e).get(self.op.params[0]) or e.object(UNBOUND)]
        return ast.Tuple([class_cell(), *first], ast.Load())

    def _bindings(self, op: Operation, e: Emitter) -> dict[str, ast.expr]:
        """Variables, as far as the IR tells, and expressions for their values or cells."""
        e.settle()
        live = e.live_at(op)
        variables: dict[str, ast.expr] = {}
        for value in (*_constants_before(op, e), *self.op.body.entry.args, *live):
            if value in live or value in e.aliases:
                for var in _variables(value, self.op, set()):
                    variables[var] = e.call(content, e.value(value)) if value.type == CELL else e.value(value)
        variables.update({var: e.call(content, load(cell_parameter(var))) for var in self.op.freevars})
        return variables


def _constants_before(op: Operation, e: Emitter) -> Iterator[Value]:
    """Constants that were met on the way to ``op``: nothing unbinds a variable that holds one."""
    for block in e.liveness.blocks:
        for other in block.ops:
            if other is op:
                return
            if isinstance(other, names.Const):
                yield other.value


def _variables(value: Value, function: functions.Func, seen: set[Value]) -> set[str]:
    """The local variables that ``value`` is bound to, or will be at the end of its block."""
    seen.add(value)
    bound = {use.user.var for use in value.uses if isinstance(use.user, names.Drop)}
    if isinstance(value, OpResult) and isinstance(value.op, names.MakeCell):
        bound.add(value.op.var)
    if isinstance(value, OpResult) and isinstance(value.op, names.Const) and value.hint in function.locals:
        bound.add(value.hint)
    if isinstance(value, BlockArgument) and value.block is function.body.entry:
        bound.add(function.params[value.index])
    for use in value.uses:
        if isinstance(use.user, Successor) and use.slot < len(use.user.block.args):
            target = use.user.block.args[use.slot]
            if target not in seen and target.hint in function.locals:
                bound |= _variables(target, function, seen)
    return bound


def signature(op: functions.Func) -> ast.arguments:
    """The function's own parameters; defaults are the function object's."""
    params = [ast.arg(p) for p in op.params]
    positional, rest = params[op.posonly : op.positional], params[op.positional :]
    keyword_only, rest = rest[: op.kwonly], rest[op.kwonly :]
    vararg = rest.pop(0) if op.vararg else None
    kwarg = rest.pop(0) if op.kwarg else None
    return ast.arguments(params[: op.posonly], positional, vararg, keyword_only, [None] * len(keyword_only), kwarg, [])


def _own_names(op: functions.Func) -> frozenset[str]:
    """Local variables whose names can be used in the body: nothing else there goes by them."""
    if op.kind in ("class", "module"):
        return frozenset()
    others = {p for p, arg in zip(op.params, op.body.entry.args, strict=True) if arg.hint != p}
    for block in op.body.blocks:
        for inner in block.ops:
            if isinstance(inner, GLOBALS):
                others.add(inner.var)
    return frozenset(v for v in op.locals if v not in others and v.isidentifier())


def _calling(record: Record) -> CodeType:
    """The original code object with instructions that call the body."""
    original = record.original
    parameters = len(record.op.body.entry.args)
    own_locals = len(original.co_varnames) + len([c for c in original.co_cellvars if c not in original.co_varnames])
    arguments: list[Instruction] = []
    if record.kind == "class":
        arguments += _load_namespace(len(original.co_consts) + 1)
    for number in range(parameters):
        arguments += [("LOAD_FAST", number), ("DELETE_FAST", number)]
    arguments += push(*range(own_locals, own_locals + len(original.co_freevars)))
    count = (record.kind == "class") + parameters + len(original.co_freevars)
    make_body = [("LOAD_CONST", len(original.co_consts)), ("MAKE_FUNCTION", 0)]
    copy_cells = [("COPY_FREE_VARS", len(original.co_freevars))] if original.co_freevars else []
    return replace_instructions(
        original,
        [*copy_cells, *call_sequence(count, *make_body, args=arguments)],
        co_consts=(*original.co_consts, record.body, locals),
        co_stacksize=count + 8,
    )


def _load_namespace(locals_const: int) -> list[Instruction]:
    """Push the running frame's namespace. Before 3.12 the builtin ``locals`` is the way."""
    if PYTHON >= (3, 12):
        return [("LOAD_LOCALS", 0)]
    return call_sequence(0, ("LOAD_CONST", locals_const), args=())


def _docstring(original: CodeType) -> list[ast.stmt]:
    doc = original.co_consts[0] if original.co_consts else None
    return [ast.Expr(ast.Constant(doc))] if isinstance(doc, str) and original.co_name != "<genexpr>" else []


def _fetch_cell(var: str) -> ast.stmt:
    """The cell itself of a free variable: a function that refers to it has it in its closure."""
    nothing = ast.arguments([], [], None, [], [], None, [])
    closure = ast.Attribute(ast.Lambda(nothing, load(var)), "__closure__", ast.Load())
    return assign([store(cell_parameter(var))], ast.Subscript(closure, ast.Constant(0), ast.Load()))


def _compile(op: functions.Func, body: list[ast.stmt], arguments: ast.arguments, original: CodeType) -> CodeType:
    line = original.co_firstlineno
    is_async = op.flavor in ("coroutine", "async_generator")
    function = definition("function", arguments, body, is_async)
    free = [] if op.flavor == "plain" else [ast.arg(v) for v in op.freevars]
    outer = ast.arguments([], free, None, [], [], None, [])
    module = ast.Module([definition("outer", outer, [function])], [])
    for node in ast.walk(module):
        if isinstance(node, PLACED) and not hasattr(node, "lineno"):
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = Span(line, 0, line, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Constants that stand for objects look like mistakes to the compiler.
        code = compile(module, original.co_filename, "exec", dont_inherit=True)
    for _ in range(2):
        code = next(c for c in code.co_consts if isinstance(c, CodeType))
    flags = code.co_flags | (original.co_flags & FUTURE_FLAGS)
    return code.replace(co_name=original.co_name, co_qualname=original.co_qualname, co_flags=flags)


def definition(name: str, arguments: ast.arguments, body: list[ast.stmt], is_async: bool = False) -> ast.stmt:
    """A function's definition, on every Python."""
    kind: Any = ast.AsyncFunctionDef if is_async else ast.FunctionDef
    function: ast.stmt = kind(name=name, args=arguments, body=body, decorator_list=[])
    function.type_params = []  # type: ignore[attr-defined]
    return function


def made_up(op: functions.Func) -> CodeType:
    """A code object with the operation's name and signature, for IR that was not made from source."""
    uses: list[ast.stmt] = [ast.Expr(load(v)) for v in op.freevars]
    inner = definition("function", signature(op), uses or [ast.Pass()])
    free = ast.arguments([], [ast.arg(v) for v in op.freevars], None, [], [], None, [])
    module = ast.fix_missing_locations(ast.Module([definition("outer", free, [inner])], []))
    code: CodeType = compile(module, "<ir>", "exec", dont_inherit=True)
    for _ in range(2):
        code = next(c for c in code.co_consts if isinstance(c, CodeType))
    if op.kind == "class":
        code = code.replace(co_flags=code.co_flags & ~3)  # Its namespace is given, and it has no fast locals.
    return code.replace(co_name=op.qualname.rpartition(".")[2], co_qualname=op.qualname)
