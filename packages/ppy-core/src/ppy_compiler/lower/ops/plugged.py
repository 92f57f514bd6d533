"""Operations that a plugin's specs lower: a function of the standard library, an operation of a dialect, a C function.

Inference has seen that the operands can be handed over; what it took for granted is checked here: that what is called
is the library's function, and the class of operands that are the library's instances. Whatever is otherwise, and what
the operation declines, goes on in the twin, where CPython does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppy_compiler.dialects import dialect_ops
from ppy_compiler.dialects.py import calls, operators
from ppy_compiler.infer import atoms
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.ir import Operation, Type, Value
from ppy_compiler.ir.define import OperandsField
from ppy_compiler.ir.types import I1, I8, I32, I64, PTR
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.elements import element
from ppy_compiler.lower.ops.models import EMITTERS
from ppy_compiler.lower.ops.numbers import double_of
from ppy_compiler.lower.ops.scalars import scalar
from ppy_compiler.lower.ops.vectorcall import vectorcall
from ppy_compiler.lower.reprs import Repr, of_fact
from ppy_compiler.lower.symbols import Extern, Library
from ppy_compiler.plugins.specs import (
    NATIVE,
    NOTHING,
    DialectOperationSpec,
    DirectCallSpec,
    ElementSpec,
    IntrinsicSpec,
    ScalarSpec,
)
from ppy_compiler.plugins.types import Value as Known

RESULTS = {"double": Repr.F64, "int64_t": Repr.I64, "int32_t": Repr.I64, "bool": Repr.BOOL, "object": Repr.OBJ}


def plugged(body: Body, op: Operation) -> bool:
    """Emit ``op`` as the plugin's spec says; whether it could be."""
    found = body.fn.facts.plugged[op]
    if body.general or not found.lowered:
        return False
    values = _values(body, op)
    if found.function:
        _guard_function(body, op, found.function)
    match found.model.lowering:
        case ElementSpec() as spec:
            assert isinstance(op, operators.GetItem | operators.SetItem)
            if not element(body, op, spec):
                body.assumed.doubt_all()  # what CPython does there may be anything
                return False
        case ScalarSpec() as spec:
            scalar(body, op, spec)
        case IntrinsicSpec():
            _intrinsic(body, op, values)
        case DialectOperationSpec() as spec:
            _dialect_operation(body, op, found, spec, values)
        case DirectCallSpec() as spec:
            _direct_call(body, op, found, spec, values)
        case _:
            return False
    return True


def _values(body: Body, op: Operation) -> Sequence[Value]:
    """What the plugin was told of, in its order: of a method, the receiver is the first."""
    match op:
        case calls.Call():
            return list(op.args)
        case calls.CallMethod():
            receiver = body.fact(op.receiver)
            bound = receiver is not None and receiver.types == atoms.NULL
            return list(op.args) if bound else [op.receiver, *op.args]
    return list(op.operands)


def _guard_function(body: Body, op: Operation, name: str) -> None:
    """What is called is what the library defines under the name; a method has its receiver."""
    callee = op.callee if isinstance(op, calls.Call) else op.operands[0]
    same = body.b.call1("ppy_is_library", [body.unit_slot(Library(name)), body.obj(callee)], I32)
    body.deopt_unless(body.b.nonzero(same))
    if isinstance(op, calls.CallMethod) and len(_values(body, op)) > len(op.args):
        body.deopt_unless(body.present(op.receiver))


def _intrinsic(body: Body, op: Operation, values: Sequence[Value]) -> None:
    """As the built-in function does it, but what that raises the library's function raises itself, in the twin."""
    name = body.fn.facts.calls[op].name
    body.redo = True
    arguments, emit = EMITTERS.get(name, (-1, None))
    result = emit(body, values) if emit is not None and arguments == len(values) else None
    if result is None:
        result = vectorcall(body, body.constant(body.fn.unit.builtin(name)), values, ()), Repr.OBJ
    body.redo = False
    body.define(op.results[0], *result)


def _dialect_operation(
    body: Body, op: Operation, found: PluggedOperation, spec: DialectOperationSpec, values: Sequence[Value]
) -> None:
    given = [_handed(body, w, known, values) for w, known in zip(spec.operands, found.operands, strict=True)]
    cls = dialect_ops(spec.operation.partition(".")[0])[spec.operation]
    grouped = [isinstance(field, OperandsField) for field in cls.definition.operands]
    parts = [given] if grouped == [True] else given
    types = [*_native(spec.result), *([I1] if spec.declines else [])]
    attributes: dict[str, Any] = dict(spec.attributes)
    made = body.b.op(cls(*parts, types=types, span=op.span, **attributes))
    if spec.declines:
        body.deopt_unless(made.results[-1])
    _define(body, op, spec.result, made.results)


def _direct_call(
    body: Body, op: Operation, found: PluggedOperation, spec: DirectCallSpec, values: Sequence[Value]
) -> None:
    b, slot = body.b, body.unit_slot(Extern(found.function.partition(".")[0], spec.library, spec.symbol))
    address = b.call1("ppy_library_symbol", [slot], PTR)
    body.deopt_unless(b.cmp("ne", address, b.const(None, PTR)))
    given = [_handed(body, w, known, values) for w, known in zip(spec.parameters, found.operands, strict=True)]
    given = [b.cast("zext", value, I32) if value.type == I1 else value for value in given]  # as C passes _Bool
    if spec.result == "bool":
        (answer,) = b.call_pointer(address, given, I8)
        _define(body, op, spec.result, [b.nonzero(answer)])
        return
    _define(body, op, spec.result, b.call_pointer(address, given, *_native(spec.result)))


def _native(result: str) -> list[Type]:
    return [] if result == NOTHING else [Type(NATIVE[result])]


def _define(body: Body, op: Operation, result: str, natives: Sequence[Value]) -> None:
    if not op.results:
        return
    if result == NOTHING:
        body.define(op.results[0], body.constant(None), owned=False)
        return
    native = body.b.cast("sext", natives[0], I64) if result == "int32_t" else natives[0]
    body.define(op.results[0], native, RESULTS[result])


def _handed(body: Body, native: str, known: Known, values: Sequence[Value]) -> Value:
    """One operand as the type that the spec wants."""
    if known.position is None:
        return _default(body, native, known.constant)
    value = values[known.position]
    if native == "object":
        held = body.obj(value)
        if known.external is not None:
            slot = body.unit_slot(Library(known.external.name))
            body.deopt_unless(body.b.nonzero(body.b.call1("ppy_is_library_instance", [slot, held], I32)))
        return held
    number, kind = _number(body, value)
    if native == "double":
        return double_of(body, number, kind)
    if native == "bool":
        return number
    word = body.b.cast("zext", number, I64) if kind is Repr.BOOL else number
    if native == "int32_t":
        least, most = body.b.i64(-(1 << 31)), body.b.i64((1 << 31) - 1)
        body.deopt_unless(body.b.binary("and", body.b.cmp("sge", word, least), body.b.cmp("sle", word, most)))
        return body.b.cast("trunc", word, I32)
    return word


def _number(body: Body, value: Value) -> tuple[Value, Repr]:
    """The number in a register, where its fact says that it is one, however the body holds it."""
    kind = body.repr(value)
    if kind is not Repr.OBJ:
        return body.read(value), kind
    kind = of_fact(body.fact(value))
    payload, ok = body.unbox(body.read(value), kind)
    body.deopt_unless(ok)
    return payload, kind


def _default(body: Body, native: str, constant: Any) -> Value:
    """What the plugin adds to the operands."""
    if native == "object":
        return body.constant(constant)
    return body.b.const(float(constant) if native == "double" else constant, Type(NATIVE[native]))
