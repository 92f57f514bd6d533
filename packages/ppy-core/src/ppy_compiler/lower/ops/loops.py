"""Polls at loop heads, counted loops."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.dialects.py import loops as py
from ppy_compiler.dialects.py.calls import Call, CallMethod
from ppy_compiler.dialects.py.operators import Binary, Contains
from ppy_compiler.ir import Block, Operation, OpResult, Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.closure import check, literal
from ppy_compiler.lower.magnitudes import TURNS
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.reprs import Repr

HIGHEST = (1 << 63) - 1
UNKNOWN_TURNS = 4
"""Turns between two polls of a loop whose turns run code that is not here."""
SIZED_TURNS = 64
"""Turns between two polls of a loop whose turns work on objects of any size."""
SIZED = (Binary, Call, CallMethod, Contains)
"""Operations that take the longer the larger their objects are."""


def poll(body: Body, op: py.Poll) -> None:
    b = body.b
    version = body.versions.get(op)
    if version is not None and version is body.version:
        if version.strip is not None:
            return
        left = _count_turn(body, op)
        b.cond_br(b.cmp("sle", left, b.i64(0)), version.due, version.unguarded, likely=False)
        b.at(version.unguarded)
        return
    left = _count_turn(body, op)
    due, go = (version.due, version.guarded) if version is not None else (b.new_block("poll"), b.new_block())
    b.cond_br(b.cmp("sle", left, b.i64(0)), due, go, likely=False)
    b.at(due)
    b.set(body.budget(TURNS), b.i64(TURNS))
    answer = body.poll()
    if not body.general:
        body.assumed.doubt_all()
    body.fail_if(b.cmp("eq", answer, b.i32(1)))
    if not body.general and body.fn.depends:
        body.deopt_unless(b.cmp("ne", answer, b.i32(2)), after=True)
    b.br(go if version is None else version.decide)
    b.at(go)
    if body.general and body.fn.has_fast:
        _return_to_fast(body, op)
    elif body.role == "fast" and op in body.fn.loops.entered:
        body.fn.header(op)


def _count_turn(body: Body, op: py.Poll) -> Value:
    """The turns left to the next poll; one that may take long counts for many."""
    b = body.b
    left = b.binary("sub", b.get(body.budget(TURNS)), b.i64(TURNS // _turns(body, op)))
    b.set(body.budget(TURNS), left)
    return left


def _turns(body: Body, op: py.Poll) -> int:
    """Turns between two polls of this loop."""
    blocks = body.fn.loops.numeric.get(op)
    if body.general or blocks is None:
        return UNKNOWN_TURNS
    ops = (inner for block in blocks for inner in block.ops if isinstance(inner, SIZED))
    on_objects = any(body.repr(value) is Repr.OBJ for inner in ops for value in _worked_on(inner))
    return SIZED_TURNS if on_objects else TURNS


def _worked_on(op: Operation) -> Sequence[Value]:
    return op.args if isinstance(op, Call | CallMethod) else op.operands


def _return_to_fast(body: Body, op: py.Poll) -> None:
    """In the twin at a loop's head: when every live value fits its fast representation, the rest runs in the loops
    body."""
    if op not in body.fn.headers:
        return
    b, fn = body.b, body.fn
    patience, stay, attempt = body.patience, b.new_block("stay"), b.new_block("attempt")
    left = b.binary("sub", b.get(patience[0]), b.i64(1))
    b.set(patience[0], left)
    b.cond_br(b.cmp("sle", left, b.i64(0)), attempt, stay, likely=False)
    b.at(attempt)
    doubled = b.binary("shl", b.get(patience[1]), b.i64(1))
    b.set(patience[1], doubled)
    b.set(patience[0], doubled)
    values = fn.live_at(fn.place(op))
    if fn.depends:
        go = b.new_block()
        b.cond_br(check(fn, b), go, stay)
        b.at(go)
    for value in values:
        _check_fits(body, value, stay, op)
    b.store(body.frame, 0, b.i64(fn.header(op)))
    body.leave()
    b.ret(body.frame)
    b.at(stay)


def _check_fits(body: Body, value: Value, stay: Block, op: py.Poll) -> None:
    kind = body.fn.plan.reprs[value]
    if kind in (Repr.OBJ, Repr.BIT):
        return
    b, native = body.b, body.read(value)
    go = b.new_block()
    if value in body.fn.plan.flagged:
        test = b.new_block()
        b.cond_br(b.is_null(native), go, test)
        b.at(test)
    assert op.parent is not None
    _, ok = body.unbox(native, kind, body.fn.facts.at(value, op.parent))
    b.cond_br(ok, go, stay)
    b.at(go)


def range_begin(body: Body, op: py.RangeBegin) -> None:
    if not body.general and all(body.repr(a) is Repr.I64 for a in op.args) and body.repr(op.current) is Repr.I64:
        _range_words(body, op)
        return
    b = body.b
    out = b.array(32)
    vector = body.vector(op.args)
    body.enter_frame()
    answer = b.call1("ppy_range_begin", [body.obj(op.callee), vector, b.i64(len(op.args)), out], I32)
    body.release_temps()
    body.fail_if(b.cmp("slt", answer, b.i32(0)))
    for index, result in enumerate(op.results):
        body.define(result, b.load(out, 8 * index, OBJECT))


def _range_words(body: Body, op: py.RangeBegin) -> None:
    b = body.b
    if op.callee not in body.known:
        body.deopt_unless(b.cmp("eq", body.obj(op.callee), b.value_symbol("PyRange_Type")))
    words = [body.read(a) for a in op.args]
    start = words[0] if len(words) > 1 else b.i64(0)
    stop = words[1] if len(words) > 1 else words[0]
    step = words[2] if len(words) > 2 else b.i64(1)
    if len(words) > 2 and not literal(op.args[2]):
        body.deopt_unless(b.nonzero(step))
    body.absent.add(op.iterator)
    for result, word in ((op.current, start), (op.stop, stop), (op.step, step)):
        body.define(result, word, Repr.I64)


def range_next(body: Body, op: py.RangeNext) -> None:
    words = (op.current, op.stop, op.step)
    if not body.general and all(body.repr(w) is Repr.I64 for w in words):
        _next_word(body, op)
        return
    b = body.b
    out = b.array(16)
    operands = [body.obj(w) for w in (op.iterator, *words)]
    body.enter_frame()
    answer = b.call1("ppy_range_next", [*operands, out], I32)
    body.fail_if(b.cmp("slt", answer, b.i32(0)))
    body.define(op.item, b.load(out, 0, OBJECT))
    body.define(op.more, b.nonzero(answer), Repr.BIT)
    body.define(op.following, b.load(out, 8, OBJECT))


def _next_word(body: Body, op: py.RangeNext) -> None:
    """The following value saturates: past the last word there is nothing before ``stop`` either."""
    b = body.b
    current, step = body.read(op.current), body.read(op.step)
    strip = body.version.strip if body.version is not None else None
    stop = body.read(op.stop) if strip is None else b.get(strip.limit)
    constant = constant_step(op)
    if constant:
        step = b.i64(constant)
        more = b.cmp("slt" if constant > 0 else "sgt", current, stop)
    else:
        up = b.cmp("sgt", step, b.i64(0))
        more = b.select(up, b.cmp("slt", current, stop), b.cmp("sgt", current, stop))
    body.define(op.item, current, Repr.I64)
    body.define(op.more, more, Repr.BIT)
    if constant in (1, -1) or body.holds:
        following = b.binary("add", current, step, exact=True)
    else:
        total, overflowed = b.overflow("sadd", current, step)
        end = b.select(b.cmp("sgt", step, b.i64(0)), b.i64(HIGHEST), b.i64(-HIGHEST - 1))
        following = b.select(overflowed, end, total)
    body.define(op.following, following, Repr.I64)


def constant_step(op: py.RangeNext) -> int | None:
    """The step of a counted loop where it is written down."""
    begin = op.step.op if isinstance(op.step, OpResult) else None
    if not isinstance(begin, py.RangeBegin):
        return None
    return literal(begin.args[2]) if len(begin.args) > 2 else 1


HANDLERS: Handlers = {py.Poll: poll, py.RangeBegin: range_begin, py.RangeNext: range_next}
