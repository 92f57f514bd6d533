"""Suspension. The body of a generator or coroutine is one in Python too, so suspending is Python's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CoroutineType, GeneratorType
from typing import Any

from ppy_compiler.dialects.py import generators
from ppy_compiler.dialects.py.reference.instructions import (
    asynchronous_iterator,
    asynchronous_next,
    awaitable_iterator,
    unseen,
)
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference

CO_ITERABLE_COROUTINE = 0x100
"""The flag that ``types.coroutine`` sets."""


class Delegate:
    """Makes ``await``, which looks for an iterator again, use the one that was found before."""

    __slots__ = ("iterator",)

    def __init__(self, iterator: Iterator[Any]) -> None:
        self.iterator = iterator

    @unseen
    def __await__(self) -> Iterator[Any]:
        return self.iterator


@unseen
def awaitable(iterator: Any) -> Any:
    if isinstance(iterator, CoroutineType):
        return iterator
    if isinstance(iterator, GeneratorType) and iterator.gi_code.co_flags & CO_ITERABLE_COROUTINE:
        return iterator
    return Delegate(iterator)


def yield_(op: generators.Yield, e: Emitter) -> Meaning:
    return ast.Yield(e.value(op.value))


def yield_from(op: generators.YieldFrom, e: Emitter) -> Meaning:
    iterator = e.value(op.iterator)
    return ast.Await(e.call(awaitable, iterator)) if op.wait else ast.YieldFrom(iterator)


def yield_from_iter(op: generators.YieldFromIter, e: Emitter) -> Meaning:
    """Left to ``yield from`` itself, which follows: whether a coroutine is refused depends on the function."""
    return e.value(op.iterable)


def get_awaitable(op: generators.GetAwaitable, e: Emitter) -> Meaning:
    return e.call(awaitable_iterator[op.context], e.value(op.argument))


def _function(function: object) -> Reference:
    """``function(*operands)``."""
    return Reference(lambda op, e: e.call(function, *e.values(op.operands)))


@unseen
def is_stop_async(exception: BaseException) -> bool:
    return isinstance(exception, StopAsyncIteration)


TABLE = {
    generators.Yield: Reference(yield_),
    generators.YieldFrom: Reference(yield_from),
    generators.YieldFromIter: Reference(yield_from_iter),
    generators.GetAwaitable: Reference(get_awaitable),
    generators.AIter: _function(asynchronous_iterator),
    generators.ANext: _function(asynchronous_next),
    generators.IsStopAsync: _function(is_stop_async),
}
