"""The versions of a function: which get native code, and how the entry tells by an object which of them it fits.

Inference made the versions and chose one for each call. A version in which nothing is held unboxed is as good as the
general code of any other, so it gets none of its own. The general code of a version with constants is for these alone:
what fits no version gets that of one without.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.infer import atoms
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import I32, I64, OBJECT
from ppy_compiler.lower.body import unbox
from ppy_compiler.lower.function import FunctionLowering
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr, of_fact

if TYPE_CHECKING:
    from ppy_compiler.lower.unit import UnitLowering

CHECKS = {
    atoms.NONE: "ppy_is_none",
    atoms.STR: "ppy_is_str",
    atoms.LIST: "ppy_is_list",
    atoms.TUPLE: "ppy_is_tuple",
    atoms.DICT: "ppy_is_dict",
}
"""How the entry recognises what is handed on as an object."""
EQUAL = 2
"""``Py_EQ``."""


def lower_family(unit: UnitLowering, op: Func) -> tuple[FunctionLowering, ...]:
    """What becomes native of ``op``; the first one has the entry, and the general code for what fits none."""
    made = [FunctionLowering(unit, op, facts) for facts in unit.facts.versions(op.sym)]
    bases = [fn for fn in made if not fn.facts.constants]
    kept = [fn for fn in bases if fn.has_fast] or bases[:1]
    kept += (fn for fn in made if fn.facts.constants and fn.has_fast)
    kept.sort(key=lambda fn: (bool(fn.facts.constants), sum(not _recognised(fn, p) for p in fn.params), fn.key))
    kept[0].family = tuple(kept)
    return kept[0].family


def attempts(family: tuple[FunctionLowering, ...]) -> list[FunctionLowering]:
    """The versions in the order in which the entry tries them: those that want most come first."""
    return sorted((fn for fn in family if fn.has_fast), key=lambda fn: -len(fn.facts.constants))


def _recognised(fn: FunctionLowering, param: Value) -> bool:
    return fn.plan.reprs[param].scalar or fn.facts.values[param].types in CHECKS


def tests(b: NativeBuilder, value: Value, fact: Fact, text: str | None) -> Iterator[Value]:
    """What holds of an object of the kind that a version is for, test by test: each may rely on those before it. None
    where the version takes any object. ``text``: the symbol of the constant that it must equal."""
    check = CHECKS.get(fact.types)
    if check is not None:
        yield b.nonzero(b.call1(check, [value], I32))
    if text is not None:
        constant = b.load(b.symbol(text), 0, OBJECT, invariant=True)
        yield b.cmp("eq", b.call1("ppy_compare_truth", [value, constant, b.i32(EQUAL)], I32), b.i32(1))
    if check is None or fact.items is None:
        return
    yield b.cmp("eq", b.call1("ppy_tuple_size", [value], I64), b.i64(len(fact.items)))
    for index, item in enumerate(fact.items):
        held = of_fact(item)
        if held is not Repr.OBJ:
            part = b.call1("ppy_tuple_item", [value, b.i64(index)], OBJECT)
            yield unbox(b, part, held)[1]
