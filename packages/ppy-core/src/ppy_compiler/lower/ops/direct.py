"""Direct calls between native functions of one unit (see ``lower.closure`` for when they are right)."""

from __future__ import annotations

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.infer.facts import Fact
from ppy_compiler.infer.lattice import join
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.body.worker import Worker
from ppy_compiler.lower.closure import check
from ppy_compiler.lower.fits import in_range
from ppy_compiler.lower.function import FunctionLowering
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.lower.twin import BOXED_OFFSET


def direct_call(body: Body, op: py.Call) -> bool:
    """Emit ``op`` as a native call if it is one. What does not fit leaves for the twin: before the call, or after it
    with its result."""
    target = body.fn.direct.get(op) if not body.general else None
    if target is None:
        return False
    if isinstance(body, Worker):
        _call_worker(body, op, target)
        return True
    b, fn = body.b, body.fn
    if not fn.closed:
        held = b.call1("ppy_is_bound", [body.read(op.callee), b.symbol(target.record)], I32)
        body.deopt_unless(b.nonzero(held))
        if target.closed and target.depends:
            body.deopt_unless(check(target, b))
    args = _arguments(body, op, target)
    if target.facts.effects.runs_code:
        body.enter_frame()
    payload, status = b.call(fn.callee(target, body), [body.ctx, *args], *target.fast_returns, convention="fast")
    body.release_temps()
    _finish(body, op, target, payload, status)
    return True


def _call_worker(body: Worker, op: py.Call, target: FunctionLowering) -> None:
    """From a body that may give up: what the callee does not finish ends the caller, too."""
    args = _arguments(body, op, target)
    worker = body.worker(target)
    payload, status = body.b.call(worker, [body.ctx, *args], *target.fast_returns, convention="fast")
    body.deopt_unless(body.b.cmp("eq", status, body.b.i64(0)))
    body.define(op.value, payload, target.returns)


def _arguments(body: Body, op: py.Call, target: FunctionLowering) -> list[Value]:
    params = zip(body.fn.facts.calls[op].arguments, target.params, target.facts.params, strict=True)
    return [_argument(body, op.args[i or 0], target.plan.reprs[p], fact) for i, p, fact in params]


def _argument(body: Body, value: Value, want: Repr, fact: Fact) -> Value:
    if want is Repr.OBJ:
        return body.obj(value)
    kind, native = body.repr(value), body.read(value)
    if kind is Repr.OBJ:
        payload, ok = body.unbox(native, want, fact)
        body.deopt_unless(ok)
        return payload
    if kind is not want:
        native = body.convert_word(native, kind, want)
    known = body.fact(value)
    fits = None if known is not None and _covers(fact, known) else in_range(body.b, native, want, fact)
    if fits is not None:
        body.deopt_unless(fits)
    return native


def _covers(promised: Fact, known: Fact) -> bool:
    """Whether the integers that ``known`` describes are in the range that the parameter's annotation promises."""
    return join(promised, known).range == promised.range


def _finish(body: Body, op: py.Call, target: FunctionLowering, payload: Value, status: Value) -> None:
    b, kind = body.b, body.repr(op.value)
    fine, other, boxed, raised = (b.new_block(hint) for hint in ("fine", "other", "boxed", "raised"))
    b.cond_br(b.cmp("eq", status, b.i64(0)), fine, other, likely=True)
    b.at(other)
    b.cond_br(b.cmp("eq", status, b.i64(1)), raised, boxed)
    b.at(raised)
    body.fail()
    b.at(boxed)
    misfit = b.load(body.ctx, BOXED_OFFSET, OBJECT)
    if kind is not Repr.OBJ or not body.alive_after(op.value):
        body.deopt_with_result(op.value, misfit)
        b.at(fine)
        body.define(op.value, payload, target.returns)
        return
    out, done = b.slot(OBJECT), b.new_block("called")
    b.set(out, misfit)
    b.br(done)
    b.at(fine)
    b.set(out, payload if target.returns is Repr.OBJ else body.box(payload, target.returns))
    b.br(done)
    b.at(done)
    body.define(op.value, b.get(out))
