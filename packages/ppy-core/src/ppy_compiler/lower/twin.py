"""The twin and the exits that enter it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.ir import Value
from ppy_compiler.ir.types import F64, I1, I32, I64, OBJECT, PTR, Type
from ppy_compiler.lower.body import BOXES, UNBOXES, ZERO
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.body import Body
    from ppy_compiler.lower.exits import Exit, ExitItem
    from ppy_compiler.lower.function import FunctionLowering, Position

COUNT_SHIFT = 32
"""A resume point travels with the number of live values in its upper half."""
BOXED_OFFSET = 24
"""``ppy_ctx.boxed``."""


def resume_word(point: int, count: int) -> int:
    return point | count << COUNT_SHIFT


def lower_twin(fn: FunctionLowering) -> NativeBuilder:
    """``twin(ctx, [func,] point, live) -> object``: takes over the references in ``live``; null when an exception is set."""
    native = fn.builder("twin", (I64, PTR), (OBJECT,), cold=True)
    body = fn.body("twin", native)
    point, live = native.params[-2:]
    _check_stack(fn, native, body, point, live)
    positions = dict(fn.points)
    fn.prepare(body, set(positions))
    number = native.binary("and", point, native.i64((1 << COUNT_SHIFT) - 1))
    for position, index in positions.items():
        here, other = native.new_block("resume"), native.new_block()
        native.cond_br(native.cmp("eq", number, native.i64(index)), here, other)
        native.at(here)
        _load_live(fn, body, position, live)
        native.br(body.blocks[position[0]] if position == fn.start else body.resume_block(position))
        native.at(other)
    native.unreachable()
    fn.emit(body)
    return native


def _load_live(fn: FunctionLowering, body: Body, position: Position, live: Value) -> None:
    b = body.b
    wanted = fn.liveness.into(position[0])
    for index, value in enumerate(fn.live_at(position)):
        native = b.load(live, 8 * index, OBJECT)
        if position == fn.start and not wanted & fn.liveness.bit(value):
            b.decref(native)
        elif body.repr(value) is Repr.BIT:
            b.set(body.slots[value], b.cmp("eq", native, b.value_symbol("_Py_TrueStruct")))
        else:
            b.set(body.slots[value], native)


def _check_stack(fn: FunctionLowering, native: NativeBuilder, body: Body, point: Value, live: Value) -> None:
    """On a nearly used up stack the same call is made on a fresh segment."""
    low, go = native.new_block("deep"), native.new_block()
    native.cond_br(native.nonzero(native.call1("ppy_stack_low", [body.ctx], I32)), low, go, likely=False)
    native.at(low)
    func = body.func if body.func is not None else native.null()
    twin = native.symbol(fn.name("twin"))
    native.ret(native.call1(fn.unit.deep(fn.closes), [body.ctx, func, twin, point, live], OBJECT))
    native.at(go)


def lower_exit(fn: FunctionLowering, exit: Exit, name: str) -> NativeBuilder:
    """``exit(ctx, [func,] values...) -> {value, status}``: boxes the values, runs the rest in the twin."""
    params: list[Type] = []
    for item in exit.items:
        params.append(item.kind.native)
        if item.flag:
            params.append(I1)
    native = fn.builder("exit", tuple(params), fn.fast_returns, name=name, cold=True)
    given = iter(native.params[2 if fn.closes else 1 :])
    live = native.array(8 * len(exit.items) or 8)
    for index, item in enumerate(exit.items):
        native.store(live, 8 * index, _boxed(native, item, next(given), next(given) if item.flag else None))
    context = native.params[: 2 if fn.closes else 1]
    word = native.i64(resume_word(exit.point, len(exit.items)))
    result = native.call1(fn.name("twin"), [*context, word, live], OBJECT)
    return_object(fn, native, result)
    return native


def _boxed(native: NativeBuilder, item: ExitItem, value: Value, flag: Value | None) -> Value:
    if item.kind is Repr.OBJ:
        if not item.owned:
            native.call("ppy_xincref" if item.nullable else "ppy_incref", [value])
        return value
    if item.kind in (Repr.BOOL, Repr.BIT):
        value = native.cast("zext", value, I64)
    boxed = native.call1(BOXES[item.kind], [value], OBJECT)
    if flag is None:
        return boxed
    there, done, out = native.new_block(), native.new_block(), native.slot(OBJECT)
    native.set(out, boxed)
    native.cond_br(flag, done, there)
    native.at(there)
    native.decref(boxed)
    native.set(out, native.null())
    native.br(done)
    native.at(done)
    return native.get(out)


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
    payload, ok = native.call(UNBOXES[fn.returns], [result], F64 if fn.returns is Repr.F64 else I64, I64)
    fits, boxed = native.new_block("fits"), native.new_block("boxed")
    native.cond_br(native.nonzero(ok), fits, boxed, likely=True)
    native.at(fits)
    native.decref(result)
    native.ret(native.nonzero(payload) if fn.returns is Repr.BOOL else payload, native.i64(0))
    native.at(boxed)
    native.store(native.params[0], BOXED_OFFSET, result)
    native.ret(zero, native.i64(2))


def return_object_in_twin(body: Body, payload: Value, status: Value) -> None:
    """Return what a fast body gave from a general one; ends the block."""
    b, returns = body.b, body.fn.returns
    fine, other, boxed, raised = (b.new_block(hint) for hint in ("fine", "other", "boxed", "raised"))
    b.cond_br(b.cmp("eq", status, b.i64(0)), fine, other, likely=True)
    b.at(fine)
    b.ret(payload if returns is Repr.OBJ else body.box(payload, returns))
    b.at(other)
    b.cond_br(b.cmp("eq", status, b.i64(1)), raised, boxed)
    b.at(raised)
    b.ret(b.null())
    b.at(boxed)
    b.ret(b.load(body.ctx, BOXED_OFFSET, OBJECT))
