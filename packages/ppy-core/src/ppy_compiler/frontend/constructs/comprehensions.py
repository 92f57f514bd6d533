"""Comprehensions and generator expressions: functions of their own or, from 3.12 on, part of the code around."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ppy_compiler.dialects.py import calls as py_calls
from ppy_compiler.dialects.py import containers as py
from ppy_compiler.dialects.py import generators as py_generators
from ppy_compiler.dialects.py import names as py_names
from ppy_compiler.frontend import bodies, closures, iteration, names, places, targets
from ppy_compiler.frontend.awaiting import wait
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.conditions import branch_on
from ppy_compiler.frontend.scopes import Scope
from ppy_compiler.ir import Block, Value
from ppy_compiler.support.spans import Span

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
CO_COROUTINE = 0x80


@dataclass(frozen=True, slots=True)
class Loops:
    """The nested loops of one comprehension; ``result`` collects, or is ``None`` for a generator expression."""

    node: Comprehension
    result: Value | None


def comprehension(b: FunctionBuilder, node: Comprehension) -> Value:
    scope = b.module.symbols.scopes[node]
    return _inline(b, node, scope) if scope.inlined else _function(b, node, scope)


def _function(b: FunctionBuilder, node: Comprehension, scope: Scope) -> Value:
    span = Span.of(node)

    def body(inner: FunctionBuilder) -> None:
        result = _collector(inner, node, span)
        _loop(inner, Loops(node, result), 0, inner.read(".0"))
        bodies.return_value(inner, inner.const(None, span) if result is None else result, span)

    job = b.module.function(b, scope, node.lineno, span, body, {})
    function = closures.make(b, scope, node.lineno, span, body)
    first = node.generators[0]
    iterator = iteration.iterate(b, first.iter, places.step(first.iter, node), is_async=bool(first.is_async))
    value = b.emit(py_calls.Call(function, [iterator], span=span)).value
    if job is not None and job.code.co_flags & CO_COROUTINE:
        return wait(b, value, span)
    return value


def _inline(b: FunctionBuilder, node: Comprehension, scope: Scope) -> Value:
    span = Span.of(node)
    first = node.generators[0]
    iterator = iteration.iterate(b, first.iter, places.step(first.iter, node), is_async=bool(first.is_async))
    outer, b.scope = b.scope, scope
    own = [name for name in scope.bound if scope.binds(name)]
    for name in own:
        key = scope.key(name)
        if name in scope.cells:
            b.cells[key] = b.emit(py_names.MakeCell(b.unbound(), var=name)).cell
        else:
            b.write(key, b.unbound())
    result = _collector(b, node, span)
    assert result is not None
    _loop(b, Loops(node, result), 0, iterator)
    for name in reversed(own):
        if name not in scope.cells:
            names.drop(b, name, b.read(scope.key(name)), span)
    b.scope = outer
    return result


def _collector(b: FunctionBuilder, node: Comprehension, span: Span) -> Value | None:
    match node:
        case ast.ListComp():
            return b.emit(py.BuildList([], span=span)).value
        case ast.SetComp():
            return b.emit(py.BuildSet([], span=span)).value
        case ast.DictComp():
            return b.emit(py.BuildDict([], span=span)).value
    return None


def _loop(b: FunctionBuilder, loops: Loops, depth: int, iterator: Value | None = None) -> None:
    node = loops.node
    generator = node.generators[depth]
    if iterator is None:
        single = _single_item(generator)
        if single is not None:
            _once(b, loops, depth, single)
            return
        span = places.inner_step(generator.iter, node, depth)
        iterator = iteration.iterate(b, generator.iter, span, is_async=bool(generator.is_async))
    header, end = b.new_block("for"), b.new_block("end")
    iteration.enter_header(b, header, node)
    handler: Block | None = None
    if generator.is_async:
        item, handler = iteration.next_awaited(b, iterator, Span.of(node))
    else:
        body = b.new_block("body")
        item = iteration.next_item(b, iterator, body, end, places.inner_step(generator.iter, node, depth))
        b.enter(body)
    targets.assign(b, generator.target, item)
    _inside(b, loops, depth, header)
    b.ssa.seal(header)
    if handler is not None:
        iteration.end_async(b, handler, end, Span.of(node))
    b.enter(end)


def _single_item(generator: ast.comprehension) -> ast.expr | None:
    """``for y in [f(x)]`` only gives a name to a value."""
    if isinstance(generator.iter, (ast.List, ast.Tuple)) and len(generator.iter.elts) == 1 and not generator.is_async:
        (item,) = generator.iter.elts
        return None if isinstance(item, ast.Starred) else item
    return None


def _once(b: FunctionBuilder, loops: Loops, depth: int, item: ast.expr) -> None:
    end = b.new_block("end")
    targets.assign(b, loops.node.generators[depth].target, b.expr(item))
    _inside(b, loops, depth, end)
    b.enter(end)


def _inside(b: FunctionBuilder, loops: Loops, depth: int, again: Block) -> None:
    """The conditions and what follows them; then, or where one does not hold, on to ``again``."""
    node = loops.node
    for condition in node.generators[depth].ifs:
        passed = b.new_block("passed")
        branch_on(b, condition, passed, again, node)
        if not b.enter(passed):
            return
    if depth + 1 < len(node.generators):
        _loop(b, loops, depth + 1)
    else:
        _collect(b, loops)
    b.jump(again)


def _collect(b: FunctionBuilder, loops: Loops) -> None:
    node, result = loops.node, loops.result
    if isinstance(node, ast.DictComp):
        assert result is not None
        key = b.expr(node.key)
        b.emit(py.DictSet(result, key, b.expr(node.value), span=places.element(node)))
        return
    value = b.expr(node.elt)
    span = places.element(node)
    match node:
        case ast.ListComp():
            assert result is not None
            b.emit(py.ListAppend(result, value, span=span))
        case ast.SetComp():
            assert result is not None
            b.emit(py.SetAdd(result, value, span=span))
        case _:
            b.emit(py_generators.Yield(value, span=span))


TABLE = {
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: comprehension,
    ast.GeneratorExp: comprehension,
}
