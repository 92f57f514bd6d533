"""Direct calls: which calls reach a native function of the unit, and which functions may skip checking that they
still do.

A direct call is right as long as the global it goes through holds the function that was compiled. A function is
*closed* when nothing that runs
between its start and its end can rebind a global: it and everything it calls runs no Python code. A closed
function's fast body assumes that all
globals it calls through, directly or not, are as compiled; whoever enters it from anywhere else checks that first
(``valid``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.names import Const, LoadGlobal
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.ir.types import I1, I32, OBJECT
from ppy_compiler.lower.inlining import settle
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering

MOST_CHECKS = 4
"""A function that depends on more globals than this checks each call instead."""
Dependence = tuple[str, str]
"""A global's name and the ``sym`` of the function it must hold."""


def direct_target(fn: FunctionLowering, op: Call) -> FunctionLowering | None:
    """The function that ``op`` calls natively from ``fn``'s fast body."""
    found = fn.facts.calls.get(op)
    target = fn.unit.functions.get(found.version) if found is not None and found.kind == "function" else None
    return None if target is None or obstacle(fn, op, target) else target


def obstacle(fn: FunctionLowering, op: Call, target: FunctionLowering) -> str:
    """Why ``op``, which calls ``target``, is no native call in ``fn``'s fast body; empty if it is one."""
    order = fn.facts.calls[op].arguments
    if _global_name(op.callee) is None:
        return "it is not called by a global name"
    if not target.has_fast:
        return "it holds no number in a register"
    if target.closes or target.source.vararg or target.source.kwarg:
        return "it has variables of an outer function, `*args` or `**kwargs`"
    if None in order or len(order) != len(target.params) or len(order) != len(op.args):
        return "a parameter takes its default here"
    passed = zip(order, target.params, strict=True)
    if not all(_passable(fn.plan.reprs[op.args[i or 0]], target.plan.reprs[p]) for i, p in passed):
        return "an argument is of another type than the parameter"
    return ""


def _passable(have: Repr, want: Repr) -> bool:
    return want is Repr.OBJ or have in (want, Repr.OBJ)


def literal(value: Value) -> int | None:
    """The integer that ``value`` is written as."""
    found = value.op.literal if isinstance(value, OpResult) and isinstance(value.op, Const) else None
    return found if type(found) is int else None


def _global_name(value: Value) -> str | None:
    return value.op.var if isinstance(value, OpResult) and isinstance(value.op, LoadGlobal) else None


def direct_calls(fn: FunctionLowering) -> dict[Call, FunctionLowering]:
    found = {}
    for block in fn.source.body.blocks:
        for op in block.ops:
            if isinstance(op, Call) and (target := direct_target(fn, op)) is not None:
                found[op] = target
    return found


def close(functions: Mapping[str, FunctionLowering]) -> None:
    """Find the closed functions and what each of them depends on."""
    for fn in functions.values():
        if fn.has_fast:
            fn.direct = direct_calls(fn)
    settle(functions.values())
    closed = {sym: fn for sym, fn in functions.items() if fn.has_fast and not _may_run_code(fn)}
    changed = True
    while changed:
        changed = False
        for sym, fn in list(closed.items()):
            if any(target.key not in closed for target in fn.direct.values()):
                del closed[sym]
                changed = True
    for fn in closed.values():
        depends = _depends(fn)
        if len(depends) <= MOST_CHECKS:
            fn.closed, fn.depends = True, depends


def _may_run_code(fn: FunctionLowering) -> bool:
    return fn.facts.effects.runs_code or fn.facts.effects.writes_globals


def _depends(fn: FunctionLowering) -> tuple[Dependence, ...]:
    found: dict[Dependence, None] = {}
    work, seen = [fn], {fn.key}
    while work:
        for op, target in work.pop().direct.items():
            name = _global_name(op.callee)
            assert name is not None
            found[name, target.source.sym] = None
            if target.key not in seen:
                seen.add(target.key)
                work.append(target)
    return tuple(found)


def only_called(fn: FunctionLowering, value: Value) -> bool:
    """Whether ``value``, a global's, is nothing but the callee of direct calls."""
    return all(isinstance(use.user, Call) and use.user in fn.direct and use.slot == 0 for use in value.uses) and bool(
        value.uses
    )


def lower_valid(fn: FunctionLowering) -> NativeBuilder:
    """``valid() -> i1``: everything the closed function ``fn`` depends on still holds."""
    b = NativeBuilder(fn.name("valid"), fn.key, "valid", (), (I1,), convention="fast")
    b.ret(check(fn, b))
    return b


def check(fn: FunctionLowering, b: NativeBuilder) -> Value:
    """The test itself, in code that is in another function's body."""
    good = b.i1(True)
    for name, sym in fn.depends:
        good = b.binary("and", good, bound(fn, b, name, fn.unit.record(sym)))
    return good


def bound(fn: FunctionLowering, b: NativeBuilder, name: str, record: str) -> Value:
    """Whether the global ``name`` holds the function with that record."""
    held = look_up(b, fn.unit.cell(name))
    out, there, done = b.slot(I1), b.new_block(), b.new_block()
    b.set(out, b.i1(False))
    b.cond_br(b.is_null(held), done, there, likely=False)
    b.at(there)
    b.set(out, b.nonzero(b.call1("ppy_is_bound", [held, b.symbol(record)], I32)))
    b.br(done)
    b.at(done)
    return b.get(out)


def look_up(b: NativeBuilder, cell: int, need_gil: Callable[[], None] | None = None) -> Value:
    """What a global holds, borrowed; null when it is not defined. Where nothing is known of the module's globals, as
    on 3.11 after a change to any of them, they are asked, which makes all of them known again."""
    unit, number, out = b.symbol("unit"), b.i64(cell), b.slot(OBJECT)
    ask, found, missing, done = (b.new_block(hint) for hint in ("ask", "found", "missing", "asked"))
    b.set(out, b.call1("ppy_global_peek", [unit, number], OBJECT))
    b.cond_br(b.is_null(b.get(out)), ask, done, likely=False)
    with b.cold_block(ask):
        if need_gil is not None:
            need_gil()
        b.set(out, b.call1("ppy_global_load", [unit, number], OBJECT))
        b.cond_br(b.is_null(b.get(out)), missing, found, likely=False)
    with b.cold_block(found):
        b.decref(b.get(out))
        b.br(done)
    with b.cold_block(missing):
        b.call("PyErr_Clear", [])
        b.br(done)
    b.at(done)
    return b.get(out)
