"""Calls of built-in functions and methods that native code does itself.

What is called is compared with the built-in object; inference only says what to expect. An emitter takes the call's
arguments and gives the
result with its representation, or ``None`` where these arguments are CPython's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppy_compiler.dialects.py import calls as py
from ppy_compiler.dialects.py import loops
from ppy_compiler.infer import atoms
from ppy_compiler.infer.elements import taken
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import F64, I32, I64
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops import scalars
from ppy_compiler.lower.ops.integers import I64_RANGE, Operand
from ppy_compiler.lower.ops.numbers import INTEGERS, as_double
from ppy_compiler.lower.reprs import Repr

Result = tuple[Value, Repr] | None
Emitter = Callable[[Body, Sequence[Value]], Result]
NUMBERS = (*INTEGERS, Repr.F64)
SIZES = {
    atoms.LIST: ("ppy_is_list", "ppy_list_size"),
    atoms.TUPLE: ("ppy_is_tuple", "ppy_tuple_size"),
    atoms.STR: ("ppy_is_str", "ppy_str_size"),
    atoms.DICT: ("ppy_is_dict", "ppy_dict_size"),
}
MATH = frozenset(
    "sqrt exp exp2 expm1 cbrt log log2 log10 log1p sin cos tan asin acos atan "
    "sinh cosh tanh asinh acosh atanh erf erfc".split()
)


def _len(body: Body, args: Sequence[Value]) -> Result:
    fact = body.fact(args[0])
    inline = SIZES.get(fact.types) if fact is not None else None
    if inline is None:
        return None
    b, value = body.b, body.obj(args[0])
    out, fast, general, done = b.slot(I64), b.new_block("sized"), b.new_block("general"), b.new_block("done")
    b.cond_br(b.nonzero(b.call1(inline[0], [value], I32)), fast, general, likely=True)
    b.at(fast)
    b.set(out, b.call1(inline[1], [value], I64))
    b.br(done)
    b.at(general)
    body.enter_frame()
    size = b.call1("PyObject_Size", [value], I64)
    body.fail_if(b.cmp("slt", size, b.i64(0)))
    b.set(out, size)
    b.br(done)
    b.at(done)
    return b.get(out), Repr.I64


def _abs(body: Body, args: Sequence[Value]) -> Result:
    b, kind = body.b, body.repr(args[0])
    if kind is Repr.F64:
        return b.call1("llvm.fabs.f64", [body.read(args[0])], F64), Repr.F64
    if kind is not Repr.I64:
        return None
    a = Operand(body, args[0])
    if a.lo == I64_RANGE[0] and not body.holds:
        body.deopt_unless(b.cmp("ne", a.native, b.i64(I64_RANGE[0])))
    negated = b.binary("sub", b.i64(0), a.native)
    return b.select(b.cmp("slt", a.native, b.i64(0)), negated, a.native), Repr.I64


def _extreme(less: bool) -> Emitter:
    """``min(a, b)`` is ``b if b < a else a``, ``max(a, b)`` is ``b if b > a else a``: NaN and equal values
    included."""

    def emit(body: Body, args: Sequence[Value]) -> Result:
        if len(args) != 2:
            return None
        kinds = {body.repr(a) for a in args}
        if len(kinds) != 1 or (kind := kinds.pop()) not in (Repr.I64, Repr.F64):
            return None
        a, b = (body.read(v) for v in args)
        predicate = ("s" if kind is Repr.I64 else "o") + ("lt" if less else "gt")
        return body.b.select(body.b.cmp(predicate, b, a), b, a), kind

    return emit


def _ord(body: Body, args: Sequence[Value]) -> Result:
    if body.repr(args[0]) is not Repr.OBJ:
        return None
    b, text = body.b, body.read(args[0])
    body.deopt_unless(b.nonzero(b.call1("ppy_is_str", [text], I32)))
    body.deopt_unless(b.cmp("eq", b.call1("ppy_str_size", [text], I64), b.i64(1)))
    code, _ = b.call("ppy_str_at", [text, b.i64(0)], I64, I64)
    return code, Repr.I64


def _chr(body: Body, args: Sequence[Value]) -> Result:
    if body.repr(args[0]) is not Repr.I64:
        return None
    return body.new("ppy_str_from_code", body.read(args[0])), Repr.OBJ


def _float(body: Body, args: Sequence[Value]) -> Result:
    return (as_double(body, args[0]), Repr.F64) if body.repr(args[0]) in NUMBERS else None


def _int(body: Body, args: Sequence[Value]) -> Result:
    kind = body.repr(args[0])
    if kind is Repr.F64:
        return _rounded("ppy_f64_trunc")(body, args)
    return (Operand(body, args[0]).native, kind if kind is Repr.U64 else Repr.I64) if kind in INTEGERS else None


def _rounded(callee: str) -> Emitter:
    def emit(body: Body, args: Sequence[Value]) -> Result:
        if len(args) != 1 or body.repr(args[0]) is not Repr.F64:
            return None
        value, ok = body.b.call(callee, [body.read(args[0])], I64, I64)
        body.deopt_unless(body.b.nonzero(ok))
        return value, Repr.I64

    return emit


def _math(callee: str) -> Emitter:
    def emit(body: Body, args: Sequence[Value]) -> Result:
        if len(args) != 1 or body.repr(args[0]) not in NUMBERS:
            return None
        if body.speculates:
            libm = body.b.symbol(callee.removeprefix("ppy_math_"))
            value, ok = body.b.call("ppy_math_quiet", [libm, as_double(body, args[0])], F64, I64)
            body.deopt_unless(body.b.nonzero(ok))
            return value, Repr.F64
        value, ok = body.b.call(callee, [as_double(body, args[0])], F64, I64)
        body.fail_if(body.b.cmp("eq", ok, body.b.i64(0)))
        return value, Repr.F64

    return emit


def _append(body: Body, args: Sequence[Value]) -> Result:
    body.status("ppy_list_append", body.obj(args[0]), body.obj(args[1]))
    body.b.incref(body.constant(None))
    return body.constant(None), Repr.OBJ


EMITTERS: dict[str, tuple[int, Emitter]] = {
    "builtins.len": (1, _len),
    "builtins.abs": (1, _abs),
    "builtins.min": (2, _extreme(True)),
    "builtins.max": (2, _extreme(False)),
    "builtins.ord": (1, _ord),
    "builtins.chr": (1, _chr),
    "builtins.float": (1, _float),
    "builtins.int": (1, _int),
    "builtins.round": (1, _rounded("ppy_f64_round")),
    "math.floor": (1, _rounded("ppy_f64_floor")),
    "math.ceil": (1, _rounded("ppy_f64_ceil")),
    "math.trunc": (1, _rounded("ppy_f64_trunc")),
    "builtins.list.append": (2, _append),
    **{f"math.{name}": (1, _math(f"ppy_math_{name}")) for name in MATH},
}
"""By the model's name: how many arguments, the receiver of a method included."""


def emitted(body: Body, op: py.Call | py.CallMethod) -> str | None:
    """The model that ``op`` is known to call, if there is an emitter for it."""
    if body.general or op.kwnames:
        return None
    found = body.fn.facts.calls.get(op)
    if found is None or found.kind != "model" or found.through:
        return None
    return found.name if found.name in EMITTERS else None


def model_call(body: Body, op: py.Call | py.CallMethod, callee: Value, args: Sequence[Value]) -> bool:
    """Emit ``op`` as what the built-in function does, if it is known to be one."""
    name = emitted(body, op)
    if name is None or len(args) != EMITTERS[name][0]:
        return False
    if callee not in body.known:
        same = body.b.cmp("eq", body.obj(callee), body.constant(body.fn.unit.builtin(name)))
        body.deopt_unless(same)
    result = _emit(body, name, args)
    if result is None:
        return False
    body.define(op.value, *result)
    return True


def _emit(body: Body, name: str, args: Sequence[Value]) -> Result:
    """What the emitter gives; scalars of NumPy are chosen from, or taken for numbers by functions of numbers."""
    either = frozenset(value for value in args if body.repr(value).either)
    if either and name in scalars.CHOICES:
        return scalars.chosen(body, name, args) if scalars.alike(body, args) else None
    body.viewed = either if taken(name) else frozenset()
    result = EMITTERS[name][1](body, args)
    body.viewed = frozenset()
    return result


def _counts(body: Body, op: object) -> bool:
    """Whether ``op`` begins a counted loop over words."""
    return isinstance(op, loops.RangeBegin) and all(body.repr(v) is Repr.I64 for v in (*op.args, op.current))


def expected_builtin(body: Body, value: Value) -> str | None:
    """The model of a built-in function that a global is known to hold, where all it is used for is calls made
    here."""
    name: str | None = None
    if value.uses and all(_counts(body, use.user) for use in value.uses):
        return "builtins.range"
    for use in value.uses:
        op = use.user
        found = body.fn.facts.calls.get(op) if isinstance(op, py.Call) and use.slot == 0 else None
        if (
            found is None
            or found.kind != "model"
            or found.through
            or found.name not in EMITTERS
            or name not in (None, found.name)
        ):
            return None
        name = found.name
    return name
