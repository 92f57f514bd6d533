"""Direct calls between native functions of one unit.

The callee is checked, not assumed: the object called must be the function that is bound to the native code. Arguments that do not fit and
results that do not fit take the general way from exactly this call.
"""

from __future__ import annotations

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.function import FunctionLowering
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.lower.twin import BOXED_OFFSET

ARGUMENTS_OFFSET = -(1 << 63)


def direct_call(body: Body, op: py.Call) -> bool:
    """Emit ``op`` as a native call, if it is known to be one of a function with a fast body."""
    callee = _callee(body, op)
    if callee is None:
        return False
    target, order = callee
    args = [op.args[i] for i in order]
    if any(not _passable(body.repr(a), target.plan.reprs[p]) for a, p in zip(args, target.params, strict=True)):
        return False
    _DirectCall(body, op, target).emit(args)
    return True


def _callee(body: Body, op: py.Call) -> tuple[FunctionLowering, list[int]] | None:
    found = body.fn.facts.calls.get(op)
    if found is None or found.kind != "function":
        return None
    target = body.fn.unit.functions.get(found.name)
    if target is None or not target.has_fast or target.closes or target.source.vararg or target.source.kwarg:
        return None
    order = [i for i in found.arguments if i is not None]
    if len(order) != len(target.params) or len(order) != len(op.args):
        return None
    return target, order


def _passable(have: Repr, want: Repr) -> bool:
    return want is Repr.OBJ or have in (want, Repr.OBJ)


class _DirectCall:
    def __init__(self, body: Body, op: py.Call, target: FunctionLowering) -> None:
        self.body = body
        self.op = op
        self.target = target
        self.kind = body.repr(op.value)
        self.out = body.b.slot(self.kind.native)
        self.slow: Block | None = None
        self.done = body.b.new_block("called")

    def emit(self, args: list[Value]) -> None:
        body, b = self.body, self.body.b
        bound = b.call1("ppy_is_bound", [body.read(self.op.callee), b.symbol(self.target.record)], I32)
        self._require(b.nonzero(bound))
        natives = [self._argument(a, self.target.plan.reprs[p]) for a, p in zip(args, self.target.params, strict=True)]
        if self.target.facts.effects.runs_code:
            body.enter_frame()
        payload, status = b.call(self.target.name("fast"), [body.ctx, *natives], *self.target.fast_returns, convention="fast")
        fine, other = b.new_block("fine"), b.new_block("other")
        body.release_temps()
        b.cond_br(b.cmp("eq", status, b.i64(0)), fine, other, likely=True)
        b.at(fine)
        self._finish(payload, self.target.returns)
        b.at(other)
        boxed = b.new_block("boxed")
        raised = b.new_block("raised")
        b.cond_br(b.cmp("eq", status, b.i64(1)), raised, boxed)
        b.at(raised)
        body.fail()
        b.at(boxed)
        self._finish(b.load(body.ctx, BOXED_OFFSET, OBJECT), Repr.OBJ)
        if self.slow is not None:
            b.at(self.slow)
            self._generally()
        b.at(self.done)
        body.define(self.op.value, b.get(self.out), self.kind)

    def _require(self, ok: Value) -> None:
        b = self.body.b
        if self.slow is None:
            self.slow = b.new_block("generally")
        go = b.new_block()
        b.cond_br(ok, go, self.slow, likely=True)
        b.at(go)

    def _argument(self, value: Value, want: Repr) -> Value:
        body = self.body
        if want is Repr.OBJ:
            return body.obj(value)
        if body.repr(value) is want:
            return body.read(value)
        payload, ok = body.unbox(body.read(value), want)
        self._require(ok)
        return payload

    def _generally(self) -> None:
        """The call as CPython makes it, from values that are all still there."""
        from ppy_compiler.lower.ops.calls import vectorcall

        body = self.body
        self._finish(vectorcall(body, body.read(self.op.callee), self.op.args, self.op.kwnames), Repr.OBJ)

    def _finish(self, native: Value, kind: Repr) -> None:
        """The result in the representation this body wants; one that does not fit goes on in the twin."""
        body, b = self.body, self.body.b
        if kind is Repr.OBJ and self.kind is not Repr.OBJ:
            payload, ok = body.unbox(native, self.kind)
            fits, misfit = b.new_block("fits"), b.new_block("misfit")
            b.cond_br(ok, fits, misfit, likely=True)
            b.at(misfit)
            body.deopt_with_result(self.op.value, native)
            b.at(fits)
            b.decref(native)
            native = payload
        elif kind is not Repr.OBJ and self.kind is Repr.OBJ:
            native = body.box(native, kind)
        elif kind is not self.kind:
            native = body.convert_word(native, kind, self.kind)
        b.set(self.out, native)
        b.br(self.done)
