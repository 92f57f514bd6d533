"""Raising, matching, the handled exception, context managers."""

from __future__ import annotations

import ast
from typing import Any

from ppy_compiler.dialects.py import contexts, exceptions
from ppy_compiler.dialects.py.reference.instructions import (
    enter_async_context,
    enter_context,
    exception_matches,
    group_match,
    pop_exception,
    prepare_reraise_star,
    push_exception,
    reraise,
    unseen,
)
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference
from ppy_compiler.ir.syntax import assign, load, store


def raise_(op: exceptions.Raise, e: Emitter) -> Meaning:
    exception = e.value(op.exception) if op.exception is not None else None
    return [ast.Raise(exception, e.value(op.cause) if op.cause is not None else None)]


def reraise_(op: exceptions.Reraise, e: Emitter) -> Meaning:
    """Raising from here adds a traceback entry for this function, which is taken off again.

    The variable is cleared first: a frame that is left must not hold the exception whose traceback holds the frame.
    """
    let_go: list[ast.stmt] = []
    exception = e.value(op.exception)
    if isinstance(exception, ast.Name):
        let_go = [assign([store(exception.id)], ast.Constant(None))]
    traceback = ast.Attribute(load("%e"), "__traceback__", ast.Load())
    target = ast.Attribute(load("%e"), "__traceback__", ast.Store())
    strip = assign([target], ast.Attribute(traceback, "tb_next", ast.Load()))
    clause = ast.ExceptHandler(e.object(BaseException), "%e", [*let_go, strip, ast.Raise(None, None)])
    return [ast.Try([ast.Expr(e.call(reraise, exception))], [clause], [], [])]


def push_exc(op: exceptions.PushExc, e: Emitter) -> Meaning:
    return e.call(push_exception, e.value(op.exception))


def pop_exc(op: exceptions.PopExc, e: Emitter) -> Meaning:
    return [ast.Expr(e.call(pop_exception, e.value(op.previous)))]


def exc_match(op: exceptions.ExcMatch, e: Emitter) -> Meaning:
    return e.call(exception_matches, *e.values(op.operands))


def exc_group_match(op: exceptions.ExcGroupMatch, e: Emitter) -> Meaning:
    targets = ast.Tuple([e.store(op.matched), e.store(op.rest)], ast.Store())
    return [ast.Assign([targets], e.call(group_match, *e.values(op.operands)))]


def prep_reraise_star(op: exceptions.PrepReraiseStar, e: Emitter) -> Meaning:
    return e.call(prepare_reraise_star, *e.values(op.operands))


def load_assertion_error(op: exceptions.LoadAssertionError, e: Emitter) -> Meaning:
    return e.object(AssertionError)


def with_enter(op: contexts.WithEnter, e: Emitter) -> Meaning:
    targets = ast.Tuple([e.store(op.exit), e.store(op.value)], ast.Store())
    return [ast.Assign([targets], e.call(enter_async_context if op.is_async else enter_context, e.value(op.manager)))]


@unseen
def exit_arguments(exception: BaseException | None) -> tuple[Any, Any, Any]:
    return (None, None, None) if exception is None else (type(exception), exception, exception.__traceback__)


def with_exit(op: contexts.WithExit, e: Emitter) -> Meaning:
    return ast.Call(e.value(op.exit), [ast.Starred(e.call(exit_arguments, e.value(op.exception)), ast.Load())], [])


TABLE = {
    exceptions.Raise: Reference(raise_),
    exceptions.Reraise: Reference(reraise_),
    exceptions.PushExc: Reference(push_exc),
    exceptions.PopExc: Reference(pop_exc),
    exceptions.ExcMatch: Reference(exc_match),
    exceptions.ExcGroupMatch: Reference(exc_group_match),
    exceptions.PrepReraiseStar: Reference(prep_reraise_star),
    exceptions.LoadAssertionError: Reference(load_assertion_error),
    contexts.WithEnter: Reference(with_enter),
    contexts.WithExit: Reference(with_exit),
}
