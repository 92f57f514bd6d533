"""Elements of NumPy's arrays: loaded and stored in place, where the array is what inference took it for.

An access reads the array's header (``ppy_array`` in the support library), checks class, number type, byte order,
alignment and rank, and that the element is there; everything else is CPython's operation, in the twin. Headers and
elements never overlap, and the loads and stores say so (``mem.Load.space``): storing an element makes nobody read a
header again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppy_compiler.dialects import arith
from ppy_compiler.dialects.py import containers, names, operators
from ppy_compiler.infer.atoms import TUPLE
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.ir import OpResult, Type, Value
from ppy_compiler.ir.types import F64, I1, I8, I32, I64, PTR
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.body.assumed import Assumed, Guard, Header
from ppy_compiler.lower.ops.scalars import INFINITE, Number, define, ignores_underflow
from ppy_compiler.plugins.specs import ElementSpec

CLASS, DATA, RANK, SHAPE, STRIDES, DESCR, FLAGS = 8, 16, 24, 32, 40, 56, 64
"""Where the fields of a ``ppy_array`` lie; of its ``ppy_descr``, byte order and number are in one word."""
DESCR_WORD, DESCR_MASK = 24, 0xFFFFFFFF_00FF0000
ALIGNED, WRITEABLE, WARNS = 0x100, 0x400, -(1 << 31)
"""Flags; the last one says that NumPy has something to say of a store."""
FLOATS = ("f32", "f64")


def element(body: Body, op: operators.GetItem | operators.SetItem, spec: ElementSpec) -> bool:
    """``op`` as ``spec`` says; whether its index can be had in registers."""
    array, indices = op.object, indices_of(body, op.index)
    if indices is None:
        return False
    body.touches_objects = True
    stored = _stored(body, op.value, spec) if isinstance(op, operators.SetItem) else None
    hoisted = body.version.hoisted if body.version is not None else None
    header = hoisted.header(op) if hoisted is not None else None
    if hoisted is None or header is None:
        place = _place(body, read_header(body, array, spec, body.deopt_unless), indices, {})
    else:
        place = _place(body, header, indices, {k: end for (of, k), end in hoisted.inside.items() if of is op})
    carried = hoisted.carried if hoisted is not None else None
    b, type = body.b, I8 if spec.element == "i1" else Type(spec.element)
    if stored is not None:
        b.store(place, 0, stored, "element")
        if carried is not None and carried.stores_from(op):
            b.set(carried.slot, stored)
        return True
    keeps = carried is not None and carried.loads_from(op)
    native = b.get(carried.slot) if carried is not None and keeps else b.load(place, 0, type, space="element")
    native = b.nonzero(native) if spec.element == "i1" else native
    assert isinstance(op, operators.GetItem)
    define(body, op.value, native, [b.i1(True)])
    return True


def indices_of(body: Body, index: Value) -> Sequence[Value] | None:
    """The integers of an index; ``None``: it is a tuple that somebody else made."""
    if index in body.packed:
        return [body.b.parts(native)[0] for native in body.packed[index]]
    literal = index.op.literal if isinstance(index, OpResult) and isinstance(index.op, names.Const) else None
    if isinstance(literal, tuple):
        small = all(-(1 << 63) <= item < 1 << 63 for item in literal)
        return [body.b.i64(item) for item in literal] if small else None
    fact = body.fact(index)
    if fact is not None and fact.only(TUPLE):
        return None
    return [Number(body, index).native]


def read_header(body: Body, array: Value, spec: ElementSpec, require: Guard) -> Header:
    """The header of an array; ``require`` takes what has to be true for it to be what ``spec`` says."""

    def read() -> Header:
        native = body.read(array)
        require(is_array(body, native))
        require(is_expected(body, native, spec))
        return load_header(body, native, spec.rank)

    return body.assumed.header(array, spec, read) if Assumed.lasts(array, body.fn.params) else read()


def is_array(body: Body, array: Value) -> Value:
    """Whether it is exactly an ``numpy.ndarray``; before NumPy's classes are known, the support library is asked."""
    b, out = body.b, body.b.slot(I1)
    ndarray = b.load(b.symbol("ppy_numpy_known"), 0, PTR, space="header")
    same, ask, go = b.cmp("eq", b.load(array, CLASS, PTR, space="header"), ndarray), b.new_block(), b.new_block()
    b.set(out, same)
    b.cond_br(same, go, ask, likely=True)
    with b.cold_block(ask):
        b.set(out, b.nonzero(b.call1("ppy_is_ndarray", [array], I32)))
        b.br(go)
    b.at(go)
    return b.get(out)


def is_expected(body: Body, array: Value, spec: ElementSpec) -> Value:
    """Whether an array has the type, rank and flags."""
    b = body.b
    looked_at, flags = (ALIGNED | WRITEABLE | WARNS, ALIGNED | WRITEABLE) if spec.stores else (ALIGNED, ALIGNED)
    order = ord("|" if spec.element in ("i1", "i8", "u8") else "=")
    descr = b.load(array, DESCR, PTR, space="header")
    word = b.binary("and", b.load(descr, DESCR_WORD, I64, space="header"), b.i64(DESCR_MASK - (1 << 64)))
    good = b.cmp("eq", word, b.i64(spec.code << 32 | order << 16))
    rank = b.cmp("eq", b.load(array, RANK, I32, space="header"), b.i32(spec.rank))
    held = b.binary("and", b.load(array, FLAGS, I32, space="header"), b.i32(looked_at))
    return b.binary("and", b.binary("and", good, rank), b.cmp("eq", held, b.i32(flags)))


def load_header(body: Body, array: Value, rank: int) -> Header:
    """The header of an array of that rank."""
    b = body.b
    shape, strides = (b.load(array, at, PTR, space="header") for at in (SHAPE, STRIDES))
    return Header(
        b.load(array, DATA, PTR, space="header"),
        tuple(b.load(shape, 8 * k, I64, space="header") for k in range(rank)),
        tuple(b.load(strides, 8 * k, I64, space="header") for k in range(rank)),
    )


def address(body: Body, header: Header, indices: Sequence[Value]) -> Value:
    """Of an element that is there, its indices counted from the start."""
    return _place(body, header, indices, dict.fromkeys(range(len(indices)), False))


def _place(body: Body, header: Header, indices: Sequence[Value], inside: Mapping[int, bool]) -> Value:
    """The address of an element, behind guards that it is there; ``inside``: the dimensions where that is known, and
    whether the index counts from the end."""
    b, place = body.b, header.data
    for dimension, (index, extent, stride) in enumerate(zip(indices, header.extents, header.strides, strict=True)):
        counted = index
        if dimension not in inside:
            counted = b.select(b.cmp("slt", index, b.i64(0)), b.binary("add", index, extent), index)
            body.deopt_unless(b.cmp("ult", counted, extent))
        elif inside[dimension]:
            counted = b.binary("add", index, extent)
        size = stride.op.literal if isinstance(stride, OpResult) and isinstance(stride.op, arith.Const) else None
        place = b.index(place, counted, size) if size else b.index(place, b.binary("mul", counted, stride))
    return place


def _stored(body: Body, value: Value, spec: ElementSpec) -> Value:
    """A number as the array holds it, where NumPy converts it without a word."""
    b, number = body.b, Number(body, value)
    if spec.element == "i1":
        return b.cast("zext", number.native, I8)
    if spec.element == "f64":
        return number.double(body)
    if spec.element == "f32":
        ignores_underflow(body)
        wide = b.call1("llvm.fabs.f64", [number.native], F64)
        single = b.cast("fptrunc", number.native, Type("f32"))
        back = b.call1("llvm.fabs.f64", [b.cast("fpext", single, F64)], F64)
        fits = b.cmp("olt", back, b.f64(INFINITE))
        body.deopt_unless(b.binary("or", fits, b.cmp("oeq", wide, b.f64(INFINITE))))
        return single
    return _word(body, number.native, spec.element)


def _word(body: Body, native: Value, element: str) -> Value:
    """An integer as one of the array's."""
    b, bits = body.b, int(element[1:])
    if element == "i64":
        return native
    if element == "u64":
        body.deopt_unless(b.cmp("sge", native, b.i64(0)))
        return native
    low = -(1 << (bits - 1)) if element[0] == "i" else 0
    body.deopt_unless(b.cmp("ult", b.binary("sub", native, b.i64(low)), b.i64(1 << bits)))
    return b.cast("trunc", native, Type(element))


def packs(body: Body, op: containers.BuildTuple) -> bool:
    """Keep the integers of an index in registers where all that happens to the tuple is that elements are accessed; an
    exit that needs it makes it."""
    if body.general or not packable(body, op):
        return False
    body.packed[op.value] = tuple(Number(body, value).either(body) for value in op.items)
    return True


def packable(body: Body, op: containers.BuildTuple) -> bool:
    """Whether all uses of a tuple are accesses in its own block."""
    users = [use.user for use in op.value.uses if not isinstance(use.user, names.Drop)]
    return bool(users) and all(_is_element(body, user, op) for user in users)


def _is_element(body: Body, user: object, op: containers.BuildTuple) -> bool:
    if not isinstance(user, operators.GetItem | operators.SetItem) or user.parent is not op.parent:
        return False
    found: PluggedOperation | None = body.fn.facts.plugged.get(user)
    return found is not None and found.lowered and isinstance(found.model.lowering, ElementSpec)
