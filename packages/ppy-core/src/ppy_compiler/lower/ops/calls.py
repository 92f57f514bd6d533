"""Calls: through the vectorcall protocol, or straight into another native function."""

from __future__ import annotations

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.dialects.py import functions as pyfunctions
from ppy_compiler.infer import atoms
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.ir.types import I32, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.direct import direct_call
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.ops.models import EMITTERS, emitted, model_call
from ppy_compiler.lower.ops.modules import module_item
from ppy_compiler.lower.ops.vectorcall import ARGUMENTS_OFFSET, enter_call, vectorcall
from ppy_compiler.lower.reprs import Repr


def call(body: Body, op: py.Call) -> None:
    if direct_call(body, op) or model_call(body, op, op.callee, op.args):
        return
    value = vectorcall(body, body.obj(op.callee), op.args, op.kwnames)
    if _builds_class(op.callee):
        body.b.call("ppy_bind_namespace", [body.unit, value])
    body.define(op.value, value)


def _builds_class(callee: Value) -> bool:
    return isinstance(callee, OpResult) and isinstance(callee.op, pyfunctions.LoadBuildClass)


def _known_method(body: Body, op: py.LoadMethod) -> bool:
    """A method of a built-in type: its class is all there is to check."""
    fact, owner = body.fact(op.method), body.fact(op.object)
    if fact is None or owner is None or fact.types != atoms.BUILTIN or owner.types != atoms.LIST:
        return False
    if fact.name not in EMITTERS or body.repr(op.object) is not Repr.OBJ:
        return False
    body.deopt_unless(body.b.nonzero(body.b.call1("ppy_is_list", [body.read(op.object)], I32)))
    body.known[op.method] = body.fn.unit.builtin(fact.name)
    body.define_same(op.receiver, op.object)
    return True


def load_method(body: Body, op: py.LoadMethod) -> None:
    if _known_method(body, op):
        return
    if (item := module_item(body, op, op.method)) is not None:
        body.define(op.method, item)
        body.define(op.receiver, body.b.null())
        return
    out = body.b.array(8)
    receiver, (*visible, cache) = body.obj(op.object), body.cache_operands()
    answer = body.b.call1("ppy_load_method", [*visible, receiver, body.constant(op.attribute), cache, out], I32)
    body.fail_if(body.b.cmp("slt", answer, body.b.i32(0)))
    is_method = body.b.nonzero(answer)
    own = body.b.select(is_method, receiver, body.b.null())
    body.b.call("ppy_xincref", [own])
    body.define(op.method, body.b.load(out, 0, OBJECT))
    body.define(op.receiver, own)


def call_method(body: Body, op: py.CallMethod) -> None:
    b = body.b
    if _model_method(body, op):
        return
    method, receiver = body.obj(op.method), body.obj(op.receiver)
    natives = [body.obj(value) for value in op.args]
    memory = b.array(8 * (len(natives) + 2))
    for index, native in enumerate([receiver, *natives]):
        b.store(memory, 8 * (index + 1), native)
    bound = b.is_null(receiver)
    positional = len(op.args) - len(op.kwnames)
    number = b.select(bound, b.i64(positional + ARGUMENTS_OFFSET), b.i64(positional + 1 + ARGUMENTS_OFFSET))
    start = b.select(bound, b.offset(memory, 16), b.offset(memory, 8))
    names = body.constant(op.kwnames) if op.kwnames else b.null()
    enter_call(body, method, start, number, op.kwnames)
    body.define(op.value, body.new("PyObject_Vectorcall", method, start, number, names))


def _model_method(body: Body, op: py.CallMethod) -> bool:
    """The function of a module (no receiver), or a built-in type's method."""
    fact = body.fact(op.receiver)
    if fact is None or not emitted(body, op):
        return False
    if fact.types == atoms.NULL:
        return model_call(body, op, op.method, op.args)
    if op.method not in body.known:
        body.deopt_unless(body.present(op.receiver))
    return model_call(body, op, op.method, [op.receiver, *op.args])


def call_ex(body: Body, op: py.CallEx) -> None:
    callee, args = body.obj(op.callee), body.obj(op.args)
    kwargs = body.obj(op.kwargs) if op.kwargs is not None else body.b.null()
    body.enter_frame()
    body.define(op.value, body.new("ppy_call_ex", callee, args, kwargs))


def load_super(body: Body, op: py.LoadSuper) -> None:
    """``super(cls, object).attribute``; without arguments it needs its caller's frame, and the function stays
    Python."""
    found = vectorcall(body, body.obj(op.global_super), [op.cls, op.object], ())
    body.keep_temp(found)
    body.define(op.value, body.new("PyObject_GetAttr", found, body.constant(op.attribute)))
    body.define(op.receiver, body.b.null())


HANDLERS: Handlers = {
    py.Call: call,
    py.LoadMethod: load_method,
    py.CallMethod: call_method,
    py.CallEx: call_ex,
    py.LoadSuper: load_super,
}
