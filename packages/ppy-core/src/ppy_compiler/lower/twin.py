"""The twin, and what runs the rest of a call in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I32, I64, OBJECT, PTR
from ppy_compiler.lower.body import GAVE_UP, ZERO, box, unbox
from ppy_compiler.lower.fits import in_range
from ppy_compiler.lower.frame import PATIENCE_SHIFT, POINT_MASK, STACK_CHECKED
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reentry import loops_name
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.body import Body
    from ppy_compiler.lower.function import FunctionLowering

BOXED_OFFSET = 24
"""``ppy_ctx.boxed``."""
MOST_PATIENCE = 24
FIRST_PATIENCE = 1
"""Turns in the twin before it tries to leave for the loops body; doubles each time that gives up."""


def lower_twin(fn: FunctionLowering) -> NativeBuilder:
    """``twin(ctx, [func,] word, buffer) -> object``: takes over the references in ``buffer``. Null when an exception
    is set; ``buffer`` itself when
    the rest is to run in the loops body, at the header whose number is the buffer's word."""
    native = fn.builder("twin", (I64, PTR), (OBJECT,), cold=True)
    body = fn.body("twin", native)
    word, buffer = native.params[-2:]
    body.given_frame(buffer)
    _check_stack(fn, native, body, word, buffer)
    positions = dict(fn.points)
    fn.prepare(body, {*positions, *(fn.place(op) for op in fn.headers)})
    if fn.headers:
        _set_patience(body, word)
    number = native.binary("and", word, native.i64(POINT_MASK))
    for position, index in positions.items():
        here, other = native.new_block("resume"), native.new_block()
        native.cond_br(native.cmp("eq", number, native.i64(index)), here, other)
        native.at(here)
        if position == fn.start:
            _drop_unused(fn, body)
        native.br(body.blocks[position[0]] if position == fn.start else body.resume_block(position))
        native.at(other)
    native.unreachable()
    fn.emit(body)
    return native


def _set_patience(body: Body, word: Value) -> None:
    b = body.b
    turns = b.binary("shl", b.i64(FIRST_PATIENCE), b.binary("lshr", word, b.i64(PATIENCE_SHIFT)))
    for slot in body.patience:
        b.set(slot, turns)


def _drop_unused(fn: FunctionLowering, body: Body) -> None:
    """Parameters that the body never looks at."""
    wanted = fn.liveness.into(fn.source.body.entry)
    for param in fn.params:
        if not wanted & fn.liveness.bit(param):
            body.b.decref(body.b.load(body.frame, fn.frame.place(param), OBJECT))


def _check_stack(fn: FunctionLowering, native: NativeBuilder, body: Body, word: Value, buffer: Value) -> None:
    """On a nearly used up stack the same call is made on a fresh segment. While the library counts levels it calls
    every stack low, so as to be asked."""
    low, deep, go = native.new_block("low"), native.new_block("deep"), native.new_block()
    native.cond_br(native.nonzero(native.call1("ppy_stack_low", [body.ctx], I32)), low, go, likely=False)
    native.at(low)
    checked = native.i64(STACK_CHECKED)
    native.cond_br(native.nonzero(native.binary("and", word, checked)), go, deep)
    native.at(deep)
    func = body.func if body.func is not None else native.null()
    twin = native.symbol(fn.name("twin"))
    again = [body.ctx, func, twin, native.binary("or", word, checked), buffer]
    native.ret(native.call1(fn.unit.deep(fn.closes), again, OBJECT))
    native.at(go)


def lower_run(fn: FunctionLowering) -> NativeBuilder:
    """``run(ctx, [func,] buffer) -> {value, status}``: the rest of a call from the resume point in ``buffer``, in
    the twin and, as soon and as
    often as everything fits, in the loops body."""
    native = fn.builder("run", (PTR,), fn.fast_returns, cold=True)
    context, buffer = native.params[:-1], native.params[-1]
    again = native.new_block("again")
    native.br(again)
    native.at(again)
    result = native.call1(fn.name("twin"), [*context, native.load(buffer, 0, I64), buffer], OBJECT)
    if fn.headers:
        finished, loops = native.new_block("finished"), native.new_block("loops")
        native.cond_br(native.cmp("eq", result, buffer), loops, finished)
        native.at(loops)
        _run_loops(fn, native, buffer, again)
        native.at(finished)
    return_object(fn, native, result)
    return native


def _run_loops(fn: FunctionLowering, native: NativeBuilder, buffer: Value, again: Block) -> None:
    tries = native.slot(I64, "tries")
    native.initialise(tries, 0, I64)
    payload, status = _call_loops(fn, native, buffer)
    left, finished = native.new_block("left"), native.new_block("finished")
    native.cond_br(native.cmp("sge", status, native.i64(GAVE_UP)), left, finished)
    native.at(finished)
    native.ret(payload, status)
    native.at(left)
    gave_up = native.new_block("gave_up")
    native.cond_br(native.cmp("eq", status, native.i64(GAVE_UP)), gave_up, again)
    native.at(gave_up)
    more = native.binary("add", native.get(tries), native.i64(1))
    capped = native.select(native.cmp("slt", more, native.i64(MOST_PATIENCE)), more, native.i64(MOST_PATIENCE))
    native.set(tries, capped)
    patience = native.binary("shl", capped, native.i64(PATIENCE_SHIFT))
    native.store(buffer, 0, native.binary("or", native.load(buffer, 0, I64), patience))
    native.br(again)


def _call_loops(fn: FunctionLowering, native: NativeBuilder, buffer: Value) -> tuple[Value, Value]:
    """Call the function that is entered at the header whose number is in ``buffer``."""
    header = native.load(buffer, 0, I64)
    payload, status = native.slot(fn.fast_returns[0], "payload"), native.slot(I64, "status")
    called = native.new_block("called")

    def call(name: str) -> None:
        results = native.call(name, [*native.params[:-1], header, buffer], *fn.fast_returns, convention="fast")
        native.set(payload, results[0])
        native.set(status, results[1])
        native.br(called)

    for op in (op for op in fn.headers if op in fn.loops.inner):
        here, other = native.new_block("inner"), native.new_block()
        native.cond_br(native.cmp("eq", header, native.i64(fn.headers.index(op))), here, other)
        native.at(here)
        call(loops_name(fn, op))
        native.at(other)
    call(fn.name("loops"))
    native.at(called)
    return native.get(payload), native.get(status)


def lower_start(fn: FunctionLowering) -> NativeBuilder:
    """``start(ctx) -> object``: the whole module body."""
    native = fn.builder("start", (), (OBJECT,), cold=True)
    buffer = fn.frame.make(native)
    native.store(buffer, 0, native.i64(0))
    payload, status = native.call(fn.name("run"), [*native.params, buffer], *fn.fast_returns)
    return_call(fn, native, native.params[0], payload, status)
    return native


def return_call(fn: FunctionLowering, b: NativeBuilder, ctx: Value, payload: Value, status: Value) -> None:
    """Return what a native call gave as an object (null when it raised); ends the block."""
    fine, other, boxed, raised = (b.new_block(hint) for hint in ("fine", "other", "boxed", "raised"))
    b.cond_br(b.cmp("eq", status, b.i64(0)), fine, other, likely=True)
    b.at(fine)
    b.ret(box(b, payload, fn.returns))
    b.at(other)
    b.cond_br(b.cmp("eq", status, b.i64(1)), raised, boxed)
    b.at(raised)
    b.ret(b.null())
    b.at(boxed)
    b.ret(b.load(ctx, BOXED_OFFSET, OBJECT))


def return_object(fn: FunctionLowering, native: NativeBuilder, result: Value) -> None:
    """Return an owned object (or null) from a function with the fast body's results."""
    zero = native.const(ZERO[fn.returns], fn.returns.native)
    raised, go = native.new_block("raised"), native.new_block()
    native.cond_br(native.is_null(result), raised, go, likely=False)
    native.at(raised)
    native.ret(zero, native.i64(1))
    native.at(go)
    if fn.returns is Repr.OBJ:
        native.ret(result, native.i64(0))
        return
    payload, good = unbox(native, result, fn.returns)
    fits, boxed = native.new_block("fits"), native.new_block("boxed")
    inside = in_range(native, payload, fn.returns, fn.facts.returns)
    native.cond_br(good if inside is None else native.binary("and", good, inside), fits, boxed, likely=True)
    native.at(fits)
    native.decref(result)
    native.ret(payload, native.i64(0))
    native.at(boxed)
    native.store(native.params[0], BOXED_OFFSET, result)
    native.ret(zero, native.i64(2))
