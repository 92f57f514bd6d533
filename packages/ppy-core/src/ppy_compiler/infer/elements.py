"""Elements of arrays and scalars of NumPy: when native code holds them in registers, and what it then knows of them."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import BOOL, EXTERNAL, FLOAT, INT, TUPLE
from ppy_compiler.infer.exchange import PYTHON, number_of
from ppy_compiler.infer.facts import NONE_FACT, Fact, replace
from ppy_compiler.infer.lattice import join_all
from ppy_compiler.plugins.interface import CallModel
from ppy_compiler.plugins.specs import ElementSpec, ScalarSpec
from ppy_compiler.plugins.types import ExternalType

COMPARISONS = frozenset(("<", "<=", "==", "!=", ">", ">="))
ARITHMETIC = {
    "f64": frozenset(("+", "-", "*", "/", "**")),
    "i64": frozenset(("+", "-", "*", "/", "//", "%", "&", "|", "^", ">>")),
}
CONVERSIONS = frozenset(("builtins.float", "builtins.int"))
CHOICES = frozenset(("builtins.abs", "builtins.max", "builtins.min"))
UNARY = frozenset(("-", "+"))
LOADED = frozenset(("f64", "i64", "i1"))
"""Elements for which there is a register, once loaded."""
STORED = {"f64": ("f64", "i64"), "f32": ("f64",), "i1": ("bool",)}
"""By element: the numbers that are stored without more ado; of integers only integers."""


def register(fact: Fact) -> str:
    """As what a number is held in a register; nothing: it is not, or may be another kind of number."""
    if fact.only(FLOAT):
        return "f64"
    if fact.only(BOOL):
        return "bool"
    if fact.only(INT) and fact.fits_word and fact.signed:
        return "i64"
    return number_of(fact)


def as_python(name: str, facts: Sequence[Fact]) -> list[Fact]:
    """The arguments as a modelled function sees them that takes a scalar of NumPy for the number that it is."""
    return [_python(fact) if number_of(fact) in taken(name) else fact for fact in facts]


def taken(name: str) -> tuple[str, ...]:
    """The scalars of NumPy that a modelled function takes for numbers of Python's."""
    return ("f64", "i64") if name in CONVERSIONS else ("f64",) if name.startswith("math.") else ()


def _python(fact: Fact) -> Fact:
    python = Fact(PYTHON[number_of(fact)])
    return replace(python, lo=ranges.I64[0], hi=ranges.I64[1]) if python.types & INT else python


def one_of_them(name: str, facts: Sequence[Fact]) -> Fact | None:
    """What ``abs``, ``max`` and ``min`` give of scalars of NumPy: a number of the same kind, and of the class that one
    of them has."""
    kinds = {register(fact) for fact in facts}
    if name not in CHOICES or len(kinds) != 1 or not kinds & {"f64", "i64"} or not any(map(number_of, facts)):
        return None
    found = join_all(tuple(facts))
    return replace(found, lo=ranges.I64[0], hi=ranges.I64[1]) if found.types & INT else found


def follows(spec: ElementSpec, facts: Sequence[Fact]) -> bool:
    """Whether lowering can load or store this element: integers as indices, and a number that needs no conversion that
    may go wrong."""
    index = facts[1]
    parts = index.items if index.only(TUPLE) and index.items is not None else (index,)
    if len(parts) != spec.rank or any(register(part) != "i64" for part in parts):
        return False
    if not spec.stores:
        return spec.element in LOADED
    return register(facts[2]) in STORED.get(spec.element, ("i64",))


def computes(spec: ScalarSpec, facts: Sequence[Fact]) -> bool:
    """Whether lowering computes this operator on these numbers."""
    held = [register(fact) for fact in facts]
    if any(number not in ("f64", "i64") for number in held) or (spec.element == "i64" and "f64" in held):
        return False
    if len(facts) == 1:
        return spec.kind in UNARY
    return spec.kind in COMPARISONS or spec.kind in ARITHMETIC[spec.element]


def has_register(model: CallModel) -> bool:
    """Whether the result is a scalar that is held in one."""
    return isinstance(model.returns, ExternalType) and model.returns.number in PYTHON


def result(model: CallModel, facts: Sequence[Fact]) -> Fact:
    """A scalar of NumPy; of an operator, if all operands may be Python's, perhaps a number of Python's."""
    if not isinstance(model.returns, ExternalType):
        return NONE_FACT
    either = isinstance(model.lowering, ScalarSpec) and all(fact.types & ~EXTERNAL for fact in facts)
    types = EXTERNAL | (PYTHON[model.returns.number] if either else 0)
    found = Fact(types, external=model.returns)
    return replace(found, lo=ranges.I64[0], hi=ranges.I64[1]) if types & INT else found


def effects(spec: ElementSpec | ScalarSpec) -> int:
    """Objects are read and no code runs: what NumPy would have to say is said in the twin."""
    return fx.OBJECTS | (fx.WRITES if isinstance(spec, ElementSpec) and spec.stores else 0)
