"""Suspension: generators, coroutines, asynchronous iteration."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import RUNS
from ppy_compiler.ir import Op, attr, operand, result
from ppy_compiler.ir.types import I1, OBJECT


class Yield(Op):
    """Suspend with ``value``; the result is what is sent in. In an asynchronous generator the value is wrapped."""

    name = "py.yield"
    traits = RUNS
    value = operand()
    sent = result(OBJECT)


class YieldFrom(Op):
    """Delegate to ``iterator`` until it ends; the result is its return value. With ``wait`` the iterator is an
    awaitable's (``await``)."""

    name = "py.yield_from"
    traits = RUNS
    wait = attr(bool, False)
    iterator = operand()
    value = result(OBJECT)


class YieldFromIter(Op):
    """The iterator that ``yield from`` delegates to (a coroutine is refused outside coroutines, a generator stays
    itself)."""

    name = "py.yield_from_iter"
    traits = RUNS
    iterable = operand()
    iterator = result(OBJECT)


class GetAwaitable(Op):
    """The iterator of an awaitable; ``context``: empty, ``aenter`` or ``aexit`` for the error text."""

    name = "py.get_awaitable"
    traits = RUNS
    context = attr(str, "")
    argument = operand()
    iterator = result(OBJECT)


class AIter(Op):
    name = "py.aiter"
    traits = RUNS
    iterable = operand()
    iterator = result(OBJECT)


class ANext(Op):
    """The awaitable's iterator of the next item; awaiting it may raise StopAsyncIteration."""

    name = "py.anext"
    traits = RUNS
    iterator = operand()
    awaitable = result(OBJECT)


class IsStopAsync(Op):
    """Whether ``exception`` is StopAsyncIteration: the normal end of ``async for``."""

    name = "py.is_stop_async"
    traits = RUNS
    exception = operand()
    value = result(I1)


OPS = (Yield, YieldFrom, YieldFromIter, GetAwaitable, AIter, ANext, IsStopAsync)
