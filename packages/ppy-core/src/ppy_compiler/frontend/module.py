"""Building a module: its functions, each once, in the order in which they are first met.

Guarantees a ``builtin.module`` whose single block holds one ``py.func`` per code object that can run: the module's
own first. Functions are built after the code around them, so nesting in the source is no nesting of calls here.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

from ppy_compiler.dialects import builtin
from ppy_compiler.dialects.py import functions as py
from ppy_compiler.dialects.py import names as py_names
from ppy_compiler.frontend import bodies, native
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.codes import CodeIndex, Path, Wanted
from ppy_compiler.frontend.collector import SymbolTable
from ppy_compiler.frontend.directives import DirectiveNames
from ppy_compiler.frontend.scopes import Scope
from ppy_compiler.frontend.symbols import collect
from ppy_compiler.frontend.syntax import compile_code, parse
from ppy_compiler.frontend.table import TABLE
from ppy_compiler.ir import Block, Region
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

CO_VARARGS, CO_VARKEYWORDS, CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x4, 0x8, 0x20, 0x80, 0x200
RECURSION_LIMIT = 200_000
Body = Callable[[FunctionBuilder], None]


@dataclass(frozen=True, slots=True)
class Job:
    """A function that was met and is to be built."""

    sym: str
    scope: Scope
    code: CodeType
    path: Path
    body: Body
    extra: Mapping[str, Any]
    span: Span


class ModuleBuilder:
    """What the functions of one module share."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.table = TABLE
        self.symbols: SymbolTable = collect(tree)
        self.directives = DirectiveNames(tree)
        self.asserts = not sys.flags.optimize
        self._codes = CodeIndex()
        self._jobs: deque[Job] = deque()
        self._known: dict[Scope, Job] = {}
        self._syms: set[str] = set()
        self.block = Block()

    def function(
        self, b: FunctionBuilder, scope: Scope, line: int, span: Span, body: Body, extra: Mapping[str, Any]
    ) -> Job | None:
        """The function of ``scope``, inside ``b``'s; ``None`` when CPython found that it cannot be reached."""
        job = self._known.get(scope)
        if job is None:
            found = self._codes.find(b.code, _wanted(scope, line, span))
            if found is None:
                return None
            index, code = found
            job = self.add(scope, code, (*b.path, index), span, body, extra)
        return job

    def add(self, scope: Scope, code: CodeType, path: Path, span: Span, body: Body, extra: Mapping[str, Any]) -> Job:
        sym = base = code.co_qualname
        number = 1
        while sym in self._syms:
            number += 1
            sym = f"{base}#{number}"
        self._syms.add(sym)
        job = self._known[scope] = Job(sym, scope, code, path, body, extra, span)
        self._jobs.append(job)
        return job

    def build(self) -> None:
        while self._jobs:
            self.block.append(self._build(self._jobs.popleft()))

    def _build(self, job: Job) -> py.Func:
        scope, code = job.scope, job.code
        b = FunctionBuilder(self, scope, code, job.path)
        params = _enter(b)
        job.body(b)
        region = b.finish()
        flags = code.co_flags
        flavor = _flavor(flags)
        return py.Func(
            region,
            sym=job.sym,
            qualname=code.co_qualname,
            kind=scope.kind,
            code=job.path,
            params=params,
            posonly=code.co_posonlyargcount,
            positional=code.co_argcount,
            kwonly=code.co_kwonlyargcount,
            vararg=bool(flags & CO_VARARGS),
            kwarg=bool(flags & CO_VARKEYWORDS),
            flavor=flavor,
            freevars=code.co_freevars,
            cellvars=code.co_cellvars,
            locals=code.co_varnames,
            native=native.reason(scope, flavor, b.features, job.extra.get("directives", ())),
            span=job.span,
            **job.extra,
        )


def _wanted(scope: Scope, line: int, span: Span) -> Wanted:
    node = scope.node
    if not isinstance(node, ast.Lambda):
        return Wanted(scope.name, line, scope.params, [span])
    try:
        returns = (ast.literal_eval(node.body),)
    except (ValueError, TypeError):
        returns = None
    return Wanted(scope.name, line, scope.params, [Span.of(node.body), span], returns)


def _flavor(flags: int) -> str:
    if flags & CO_ASYNC_GENERATOR:
        return "async_generator"
    if flags & CO_COROUTINE:
        return "coroutine"
    return "generator" if flags & CO_GENERATOR else "plain"


def _enter(b: FunctionBuilder) -> tuple[str, ...]:
    """Parameters and cells."""
    code, scope = b.code, b.scope
    given = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    params = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + given]
    for name in params:
        b.write(name, b.entry.add_arg(OBJECT, name))
    for name in code.co_cellvars:
        if name in scope.cells:
            initial = b.read(name) if name in params else b.unbound()
            if name == "__classdict__":
                initial = b.emit(py_names.LoadLocals(span=Span.point(code.co_firstlineno, 0))).value
            b.cells[name] = b.emit(py_names.MakeCell(initial, var=name)).cell
            b.cells[name].hint = f"{name}_cell"
    for name in code.co_freevars:
        b.cells[name] = b.emit(py_names.FreeCell(var=name)).cell
        b.cells[name].hint = f"{name}_cell"
    return params


def build_module(source: Source, module_name: str, code: CodeType | None = None) -> builtin.Module:
    """The Python IR of a whole module; ``code`` spares compiling it again. Raises CPython's SyntaxError."""
    if code is None:
        code = compile_code(source)
    tree = parse(source)
    with _undisturbed():
        builder = ModuleBuilder(source, tree)
        builder.add(builder.symbols.module, code, (), Span.point(1, 0), lambda b: _module_body(b, tree), {})
        builder.build()
    return builtin.Module(Region([builder.block]), sym=module_name, path=source.path)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Syntax may nest deeper than the recursion limit (calls between Python functions use no C stack), and collecting
    garbage among many objects that all stay costs more than building them."""
    limit, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collects:
            gc.enable()


def _module_body(b: FunctionBuilder, tree: ast.Module) -> None:
    start = Span.point(1, 0)
    if b.scope.has_annotations:
        b.emit(py_names.SetupAnnotations(span=start))
    bodies.docstring(b, tree.body)
    b.body(tree.body)
    bodies.finish(b, start)
