"""The way back from the twin: the fast body once more, entered at the head of a loop.

``loops`` is the whole body, entered at the heads of outermost loops. A loop inside another has a function of its own,
which holds that loop alone and hands back to the twin when the loop is done: with a second way into a nest, the
optimiser would not see it as one. Both take over references to the objects in the frame and return as the fast body
does, or say that the twin is to go on: because a guard failed (``GAVE_UP``), or because the loop is done (``DONE``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppy_compiler.ir import Block, Operation, Value
from ppy_compiler.ir.types import I64, OBJECT, PTR
from ppy_compiler.lower.body import DONE, Body
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering
    from ppy_compiler.lower.native import NativeBuilder


def loops_name(fn: FunctionLowering, op: Operation) -> str:
    """The native function that is entered at this poll."""
    return fn.name(f"loops{fn.headers.index(op)}" if op in fn.loops.inner else "loops")


def lower_loops(fn: FunctionLowering) -> list[NativeBuilder]:
    """``loops(ctx, [func,] header, frame) -> {value, status}`` for all headers of the function."""
    headers = list(fn.headers)
    whole = _function(fn, "")
    _enter(fn, whole, [op for op in headers if op not in fn.loops.inner])
    fn.emit(whole)
    return [whole.b, *(_inner(fn, op, whole) for op in headers if op in fn.loops.inner)]


def _function(fn: FunctionLowering, name: str) -> Body:
    native = fn.builder("loops", (I64, PTR), fn.fast_returns, name=name)
    body = fn.body("loops", native)
    body.given_frame(native.params[-1])
    return body


def _enter(fn: FunctionLowering, body: Body, headers: Sequence[Operation], part: Sequence[Block] | None = None) -> None:
    """Blocks and slots, and the ways in."""
    native = body.b
    which, live = native.params[-2:]
    fn.prepare(body, {fn.place(op) for op in headers}, part)
    for op in headers:
        here, other = native.new_block("enter"), native.new_block()
        native.cond_br(native.cmp("eq", which, native.i64(fn.headers.index(op))), here, other)
        native.at(here)
        _enter_loop(fn, body, op, live)
        native.at(other)
    native.unreachable()


def _inner(fn: FunctionLowering, op: Operation, whole: Body) -> NativeBuilder:
    """One inner loop: where it is left, so is the function."""
    blocks = fn.loops.inner[op]
    loop = [block for block in fn.source.body.blocks if block in blocks]
    after = dict.fromkeys(edge.block for block in loop for edge in block.edges() if edge.block not in blocks)
    body = _function(fn, loops_name(fn, op))
    _enter(fn, body, [op], [*loop, *after])
    body.known_from(whole)
    fn.emit_part(body, loop)
    body.leaving_status = DONE
    for block in after:
        body.b.at(body.blocks[block])
        body.homes = {}
        body.begin(block.ops[0])
        body.deopt()
    body.finish()
    return body.b


def _enter_loop(fn: FunctionLowering, body: Body, op: Operation, live: Value) -> None:
    b = body.b
    for value in fn.live_at(fn.place(op)):
        native, kind = b.load(live, fn.frame.place(value), OBJECT), body.repr(value)
        if kind is Repr.OBJ:
            body.store(value, native)
            continue
        if value in body.flags:
            _enter_flagged(body, value, native)
            continue
        payload, _ = body.unbox(native, kind)
        b.decref(native)
        body.store(value, payload)
    b.br(body.resume_block(fn.place(op)))


def _enter_flagged(body: Body, value: Value, native: Value) -> None:
    b = body.b
    there, done = b.new_block(), b.new_block()
    present = b.cmp("ne", native, b.null())
    b.set(body.flags[value], present)
    b.cond_br(present, there, done)
    b.at(there)
    payload, _ = body.unbox(native, body.repr(value))
    b.decref(native)
    b.set(body.slots[value], payload)
    b.br(done)
    b.at(done)
