"""The iterator protocol, counted loops, polls."""

from __future__ import annotations

import ast
from typing import Any

from ppy_compiler.dialects.py import iteration, loops
from ppy_compiler.dialects.py.reference.instructions import unseen
from ppy_compiler.dialects.py.reference.names import UNBOUND
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import compare, store


@unseen
def begin_range(callee: Any, *args: Any) -> tuple[Any, Any, Any, Any]:
    if callee is range and 1 <= len(args) <= 3 and all(type(a) is int for a in args):
        start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
        if step:
            return UNBOUND, start, stop, step
    return iter(callee(*args)), None, None, None


@unseen
def next_in_range(iterator: Any, current: Any, stop: Any, step: Any) -> tuple[Any, bool, Any]:
    if iterator is not UNBOUND:
        item = next(iterator, UNBOUND)
        return item, item is not UNBOUND, None
    if current < stop if step > 0 else current > stop:
        return current, True, current + step
    return UNBOUND, False, current


def iterator(op: iteration.Iter, e: Emitter) -> Meaning:
    return e.call(iter, e.value(op.iterable))


def next_item(op: iteration.Next, e: Emitter) -> Meaning:
    """The second result; the first is stored on the way."""
    item = ast.NamedExpr(store(e.name(op.item)), e.call(next, e.value(op.iterator), e.object(UNBOUND)))
    return 1, compare(item, ast.IsNot(), e.object(UNBOUND))


def _results(function: object) -> Reference:
    """``function(*operands)`` gives a tuple of all results."""

    def emit(op: Any, e: Emitter) -> Meaning:
        value = e.call(function, *e.values(op.operands))
        return [ast.Assign([ast.Tuple([e.store(r) for r in op.results], ast.Store())], value)]

    return Reference(emit)


def poll(op: loops.Poll, e: Emitter) -> Meaning:
    """The loop around decoded blocks looks for signals, and raises here what it finds (see ``ir.interrupts``)."""
    return []


TABLE = {
    iteration.Iter: Reference(iterator),
    iteration.Next: Reference(next_item),
    loops.Poll: Reference(poll),
    loops.RangeBegin: _results(begin_range),
    loops.RangeNext: _results(next_in_range),
}
