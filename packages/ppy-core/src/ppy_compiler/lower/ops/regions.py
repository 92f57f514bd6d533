"""Where a loop is given to threads: in the fast body, at the branch into it."""

from __future__ import annotations

from ppy_compiler.dialects.cf import Br
from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I1, I32, I64
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.body.worker import Trusted
from ppy_compiler.lower.closure import bound, look_up
from ppy_compiler.lower.magnitudes import TURNS
from ppy_compiler.lower.regions import CAPTURED, START, STEP, STOP, TRIPS, Region, as_stored, load_stored
from ppy_compiler.lower.reprs import Repr


def try_region(body: Body, op: Br) -> None:
    """Before the branch ``op``, in an unboxed body: when the loop is long enough, the pool runs it, and the loop's head
    sees its end. When it did not, the loop follows as it is written."""
    region = body.fn.outline.regions.get(op)
    if region is None or body.role not in ("fast", "loops") or body.is_copy:
        return
    b, begin = body.b, region.parallel.loop.begin
    bounds = [body.read(value) for value in (begin.current, begin.stop, begin.step)]
    trips = b.call1("ppy_range_length", bounds, I64)
    attempt, sequential = b.new_block("attempt"), b.new_block("sequential")
    b.cond_br(b.cmp("sge", trips, b.i64(region.threshold)), attempt, sequential)
    b.at(attempt)
    holds = _trusted(body, region)
    if holds is not None:
        attempt = b.new_block("region")
        b.cond_br(holds, attempt, sequential)
        b.at(attempt)
    values = _run(body, region, bounds, trips, op, sequential)
    _finish(body, region, bounds[1], values, op)
    b.at(sequential)


def _trusted(body: Body, region: Region) -> Value | None:
    """Whether the globals that the region takes for granted are what they were when it was compiled."""
    b, good = body.b, None
    for var, trusted in region.trusted:
        if trusted.function is not None and body.fn.closed:
            continue  # whoever entered this body has looked
        held = look_up(b, body.fn.unit.cell(var), body.need_gil)
        if trusted.function is not None:
            holds = bound(body.fn, b, var, trusted.function.record)
        elif trusted.kind is Repr.OBJ:
            holds = b.cmp("eq", held, body.constant(trusted.builtin))
        else:
            holds = _is_number(body, held, trusted)
        good = holds if good is None else b.binary("and", good, holds)
    return good


def _is_number(body: Body, held: Value, trusted: Trusted) -> Value:
    b, kind = body.b, trusted.kind
    out, there, done = b.slot(I1), b.new_block(), b.new_block()
    b.set(out, b.i1(False))
    b.cond_br(b.is_null(held), done, there, likely=False)
    b.at(there)
    payload, ok = body.unbox(held, kind)
    expected = b.const(trusted.literal, kind.native)
    if kind is Repr.F64:  # bit by bit: 0.0 is not -0.0
        payload, expected = b.cast("bitcast", payload, I64), b.cast("bitcast", expected, I64)
    same = b.cmp("eq", payload, expected)
    b.set(out, b.binary("and", ok, same))
    b.br(done)
    b.at(done)
    return b.get(out)


def _run(body: Body, region: Region, bounds: list[Value], trips: Value, op: Br, sequential: Block) -> Value:
    b = body.b
    captures = b.array(CAPTURED + 8 * len(region.captured))
    for at, native in zip((START, STOP, STEP, TRIPS), (*bounds, trips), strict=True):
        b.store(captures, at, native)
    for index, value in enumerate(region.captured):
        b.store(captures, CAPTURED + 8 * index, as_stored(b, body.read(value), body.repr(value)))
    values = b.array(8 * len(region.variables) or 8)
    initial = dict(zip(op.target.block.args, op.target.operands, strict=True))
    for index, variable in enumerate(region.variables):
        arg = variable.argument
        if variable.letter != "=":
            native = body.convert_word(body.read(initial[arg]), body.repr(initial[arg]), body.repr(arg))
            b.store(values, 8 * index, as_stored(b, native, body.repr(arg)))
    names = [b.symbol(region.name), captures, b.symbol(f"letters.{region.name}"), values]
    patience = b.symbol(f"patience.{region.name}")
    done = b.call1("ppy_run_region", [body.ctx, trips, b.i64(region.grain), *names, patience], I32)
    after = b.new_block("ran")
    b.cond_br(b.nonzero(done), after, sequential)
    b.at(after)
    return values


def _finish(body: Body, region: Region, stop: Value, values: Value, op: Br) -> None:
    """What the loop's variables are now; the head of the loop finds that there is no more turn."""
    b, loop = body.b, region.parallel.loop
    body.pass_along(op.target)
    b.set(body.budget(TURNS), b.i64(1))  # a signal may have come meanwhile
    b.set(body.slots[loop.next.current], stop)
    for index, variable in enumerate(region.variables):
        arg = variable.argument
        b.set(body.slots[arg], load_stored(b, values, 8 * index, body.repr(arg)))
        if arg in body.flags:
            b.set(body.flags[arg], b.i1(True))
    b.br(body.blocks[loop.header])
