"""Native IR as LLVM assembly: one function at a time.

A native function is a list of blocks over slots, so the text needs no phi nodes: slots are ``alloca`` and LLVM
promotes them. What a function
refers to is collected while it is written, because declarations stand beside the functions.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ppy_compiler.dialects import arith, cf, func, mem
from ppy_compiler.dialects.func import BUILTIN_PREFIX, EXTERN_PREFIX, LIBRARY_PREFIX
from ppy_compiler.ir import Block, Operation, Type, Value

LIKELY = {True: ", !prof !0", False: ", !prof !1", None: ""}
PROFILE = """\
!0 = !{!"branch_weights", i32 1000000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1000000}
!2 = !{}
!3 = !{!"memory of arrays"}
!4 = !{!"header", !3, i64 0}
!5 = !{!"element", !3, i64 0}
!6 = !{!4, !4, i64 0}
!7 = !{!5, !5, i64 0}
"""
SPACES = {"": "", "header": ", !tbaa !6", "element": ", !tbaa !7"}
"""By ``mem.Load.space``: what LLVM is told of aliases."""
SCALARS = {
    "object": "ptr",
    "cell": "ptr",
    "ptr": "ptr",
    "i1": "i1",
    **{f"{sign}{bits}": f"i{bits}" for sign in "iu" for bits in (8, 16, 32)},
    "i64": "i64",
    "u64": "i64",
    "i128": "i128",
    "f32": "float",
    "f64": "double",
}
CONVENTIONS = {"c": "", "fast": "fastcc "}
FASTMATH = " reassoc contract"
"""Never ``nnan``, ``ninf``, ``nsz``: what they assume away is what CPython shows."""
INLINE = {"": "", "always": " alwaysinline", "never": " noinline"}


def type_text(type: Type) -> str:
    found = SCALARS.get(type.name)
    if found is None:
        number = type.parameters[0]
        assert type.name == "either" and isinstance(number, Type)
        found = f"{{ {SCALARS[number.name]}, i1 }}"
    return found


def results_text(types: Iterable[Type]) -> str:
    texts = [type_text(t) for t in types]
    if not texts:
        return "void"
    return texts[0] if len(texts) == 1 else "{ " + ", ".join(texts) + " }"


@lru_cache(maxsize=4096)
def quoted(symbol: str) -> str:
    return "@" + (
        symbol
        if symbol.replace(".", "").replace("_", "").isalnum() and symbol.isascii()
        else '"' + symbol.replace("\\", "\\5C").replace('"', "\\22") + '"'
    )


def constant_text(literal: object, type: Type) -> str:
    if type_text(type) == "ptr":
        return "null"
    if type.name in ("f32", "f64"):  # LLVM writes a float as the double of that value
        assert isinstance(literal, (int, float))
        return f"0x{struct.unpack('<Q', struct.pack('<d', float(literal)))[0]:016X}"
    if type.name == "either":
        return "zeroinitializer"
    assert isinstance(literal, int)
    return str(int(literal))


class References:
    """Functions called and data used by a text, with the declaration each needs."""

    def __init__(self) -> None:
        self.functions: dict[str, str] = {}
        self.data: dict[str, None] = {}

    def names(self) -> list[str]:
        """All of them, in the order in which they were met."""
        return [*self.data, *self.functions]

    def declarations(self, defined: set[str]) -> str:
        lines = [f"declare {text}" for name, text in sorted(self.functions.items()) if name not in defined]
        hidden = "const.", "rec.", BUILTIN_PREFIX, EXTERN_PREFIX, LIBRARY_PREFIX
        for name in sorted(self.data):
            if name in defined or name in self.functions:
                continue
            visibility = "hidden " if name.startswith(hidden) or name == "unit" else ""
            lines.append(f"{quoted(name)} = external {visibility}global i8")
        return "\n".join(lines) + "\n"


class FunctionText:
    """Writes one ``func.func``."""

    def __init__(self, op: func.Func, references: References) -> None:
        self.op = op
        self.references = references
        self.lines: list[str] = []
        self.names: dict[Value, str] = {}
        self.fixed: dict[Value, str] = {}
        self.blocks = {block: f"b{i}" for i, block in enumerate(op.body.blocks)}

    def write(self) -> str:
        op = self.op
        params = ", ".join(f"{type_text(a.type)} {self.name(a)}" for a in op.body.entry.args)
        attributes = "nounwind" + (" cold noinline" if op.cold else INLINE[op.inline])
        linkage = "internal" if op.inline == "always" else "hidden"
        signature = f"{CONVENTIONS[op.convention]}{results_text(op.returns)} {quoted(op.sym)}({params})"
        self.lines.append(f"define {linkage} {signature} {attributes} {{")
        for block in op.body.blocks:
            self.lines.append(f"{self.blocks[block]}:")
            for inner in block.ops:
                WRITERS[type(inner)](self, inner)
            if block.terminator is None:
                self.lines.append("  unreachable")
        self.lines.append("}\n")
        return "\n".join(self.lines)

    def name(self, value: Value) -> str:
        found = self.names.get(value)
        if found is None:
            found = self.names[value] = f"%v{len(self.names)}"
        return found

    def typed(self, value: Value) -> str:
        return f"{type_text(value.type)} {self.ref(value)}"

    def ref(self, value: Value) -> str:
        """A constant stands where it is used."""
        found = self.fixed.get(value) or self.names.get(value)
        if found is None:
            op = getattr(value, "op", None)
            if isinstance(op, arith.Const):
                found = self.fixed[value] = constant_text(op.literal, value.type)
            elif isinstance(op, mem.Symbol):
                found = self.fixed[value] = quoted(op.symbol)
            else:
                found = self.name(value)
        return found

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def assign(self, value: Value, text: str) -> None:
        self.lines.append(f"  {self.name(value)} = {text}")

    def label(self, block: Block) -> str:
        return f"label %{self.blocks[block]}"


def _const(w: FunctionText, op: arith.Const) -> None:
    """Written where it is used."""


def _binary(w: FunctionText, op: arith.Binary) -> None:
    flag = " nsw" if op.exact and op.kind in ("add", "sub", "mul") else FASTMATH if op.fastmath else ""
    w.assign(op.value, f"{op.kind}{flag} {w.typed(op.lhs)}, {w.ref(op.rhs)}")


def _overflow(w: FunctionText, op: arith.Overflow) -> None:
    type = type_text(op.lhs.type)
    name = f"llvm.{op.kind}.with.overflow.{type}"
    w.references.functions[name] = f"{{ {type}, i1 }} @{name}({type}, {type})"
    pair = f"{w.name(op.value)}.pair"
    w.line(f"{pair} = call {{ {type}, i1 }} @{name}({w.typed(op.lhs)}, {w.typed(op.rhs)})")
    w.assign(op.value, f"extractvalue {{ {type}, i1 }} {pair}, 0")
    w.assign(op.overflowed, f"extractvalue {{ {type}, i1 }} {pair}, 1")


def _cmp(w: FunctionText, op: arith.Cmp) -> None:
    word = "fcmp" if op.lhs.type.name in ("f32", "f64") else "icmp"
    w.assign(op.value, f"{word} {op.kind} {w.typed(op.lhs)}, {w.ref(op.rhs)}")


def _cast(w: FunctionText, op: arith.Cast) -> None:
    w.assign(op.value, f"{op.kind} {w.typed(op.argument)} to {type_text(op.value.type)}")


def _select(w: FunctionText, op: arith.Select) -> None:
    w.assign(op.value, f"select i1 {w.ref(op.condition)}, {w.typed(op.then)}, {w.typed(op.otherwise)}")


def _neg(w: FunctionText, op: arith.Neg) -> None:
    w.assign(op.value, f"fneg{FASTMATH if op.fastmath else ''} {w.typed(op.argument)}")


def _either(w: FunctionText, op: arith.Either) -> None:
    type, name = type_text(op.value.type), f"{w.name(op.value)}.number"
    w.line(f"{name} = insertvalue {type} undef, {w.typed(op.number)}, 0")
    w.assign(op.value, f"insertvalue {type} {name}, {w.typed(op.bit)}, 1")


def _parts(w: FunctionText, op: arith.Parts) -> None:
    for index, value in enumerate((op.number, op.bit)):
        w.assign(value, f"extractvalue {w.typed(op.argument)}, {index}")


def _slot(w: FunctionText, op: mem.Slot) -> None:
    element = op.slot.type.parameters[0]
    assert isinstance(element, Type)
    w.assign(op.slot, f"alloca {type_text(element)}")


def _get(w: FunctionText, op: mem.Get) -> None:
    w.assign(op.value, f"load {type_text(op.value.type)}, ptr {w.name(op.slot)}")


def _set(w: FunctionText, op: mem.Set) -> None:
    w.line(f"store {w.typed(op.value)}, ptr {w.name(op.slot)}")


def _array(w: FunctionText, op: mem.Array) -> None:
    w.assign(op.address, f"alloca [{op.size} x i8], align 16")
    if op.zero:
        w.line(f"store [{op.size} x i8] zeroinitializer, ptr {w.name(op.address)}, align 16")


def _address(w: FunctionText, base: Value, offset: int) -> str:
    if offset == 0:
        return w.ref(base)
    name = f"%a{len(w.lines)}"
    w.line(f"{name} = getelementptr i8, ptr {w.ref(base)}, i64 {offset}")
    return name


def _load(w: FunctionText, op: mem.Load) -> None:
    address = _address(w, op.address, op.offset)
    invariant = ", !invariant.load !2" if op.invariant else ""
    w.assign(op.value, f"load {type_text(op.value.type)}, ptr {address}{invariant}{SPACES[op.space]}")


def _store(w: FunctionText, op: mem.Store) -> None:
    w.line(f"store {w.typed(op.value)}, ptr {_address(w, op.address, op.offset)}{SPACES[op.space]}")


def _offset(w: FunctionText, op: mem.Offset) -> None:
    w.assign(op.value, f"getelementptr i8, ptr {w.ref(op.address)}, i64 {op.offset}")


def _index(w: FunctionText, op: mem.Index) -> None:
    piece = f"[{op.size} x i8]" if op.size > 1 else "i8"
    w.assign(op.value, f"getelementptr {piece}, ptr {w.ref(op.address)}, i64 {w.ref(op.distance)}")


def _symbol(w: FunctionText, op: mem.Symbol) -> None:
    w.references.data[op.symbol] = None


def _call(w: FunctionText, op: func.Call) -> None:
    callee, operands = op.callee, op.args
    returns = results_text([v.type for v in op.results])
    convention = CONVENTIONS[op.convention]
    if callee not in w.references.functions:
        types = ", ".join([type_text(a.type) for a in operands])
        hidden = "" if callee.startswith(("ppy_", "Py", "_Py", "llvm.")) else "hidden "
        w.references.functions[callee] = f"{hidden}{convention}{returns} {quoted(callee)}({types})"
    args = ", ".join([w.typed(a) for a in operands])
    cold = " cold noinline" if op.cold else "" if op.inline else " noinline"
    _results(w, op, f"call {convention}{returns} {quoted(callee)}({args}){cold}")


def _call_pointer(w: FunctionText, op: func.CallPointer) -> None:
    address, *args = op.args
    returns = results_text(v.type for v in op.values)
    _results(w, op, f"call {returns} {w.ref(address)}({', '.join(w.typed(a) for a in args)})")


def _results(w: FunctionText, op: Operation, text: str) -> None:
    values = op.results
    if not values:
        w.line(text)
    elif len(values) == 1:
        w.assign(values[0], text)
    else:
        struct_name = f"{w.name(values[0])}.all"
        w.line(f"{struct_name} = {text}")
        returns = results_text(v.type for v in values)
        for index, value in enumerate(values):
            w.assign(value, f"extractvalue {returns} {struct_name}, {index}")


def _return(w: FunctionText, op: func.Return) -> None:
    values = op.values
    if not values:
        w.line("ret void")
    elif len(values) == 1:
        w.line(f"ret {w.typed(values[0])}")
    else:
        returns = results_text(v.type for v in values)
        previous = "undef"
        for index, value in enumerate(values):
            name = f"%r{len(w.lines)}"
            w.line(f"{name} = insertvalue {returns} {previous}, {w.typed(value)}, {index}")
            previous = name
        w.line(f"ret {returns} {previous}")


def _br(w: FunctionText, op: cf.Br) -> None:
    w.line(f"br {w.label(op.target.block)}")


def _cond_br(w: FunctionText, op: cf.CondBr) -> None:
    w.line(f"br i1 {w.ref(op.condition)}, {w.label(op.then.block)}, {w.label(op.otherwise.block)}{LIKELY[op.likely]}")


def _unreachable(w: FunctionText, op: cf.Unreachable) -> None:
    w.line("unreachable")


WRITERS: dict[type[Operation], Callable[[FunctionText, Any], None]] = {
    arith.Const: _const,
    arith.Binary: _binary,
    arith.Overflow: _overflow,
    arith.Cmp: _cmp,
    arith.Cast: _cast,
    arith.Select: _select,
    arith.Neg: _neg,
    arith.Either: _either,
    arith.Parts: _parts,
    mem.Slot: _slot,
    mem.Get: _get,
    mem.Set: _set,
    mem.Array: _array,
    mem.Load: _load,
    mem.Store: _store,
    mem.Offset: _offset,
    mem.Index: _index,
    mem.Symbol: _symbol,
    func.Call: _call,
    func.CallPointer: _call_pointer,
    func.Return: _return,
    cf.Br: _br,
    cf.CondBr: _cond_br,
    cf.Unreachable: _unreachable,
}
"""How each native operation is written."""
