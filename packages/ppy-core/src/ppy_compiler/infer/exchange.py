"""Facts in the words that plugins speak, and back: `plugins.types`."""

from __future__ import annotations

from ppy_compiler.infer import ranges
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import ANY_OBJECT, BOOL, EXTERNAL, FLOAT, INT, INTEGER, NULL, TUPLE
from ppy_compiler.infer.display import show
from ppy_compiler.infer.facts import NONE_FACT, OBJECT, Fact, boolean, instance_of, integer, of_types, tuple_of
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.plugins.types import ExternalType, Type, Unknown, Value

PLAIN = (int, float, bool, str, bytes, type(None), complex)
RESULTS = {
    "double": of_types(FLOAT),
    "int64_t": integer(*ranges.I64),
    "int32_t": integer(-(1 << 31), (1 << 31) - 1),
    "bool": boolean(),
    "void": NONE_FACT,
}
"""The facts of what an operation gives as a number."""


def value_of(fact: Fact, position: int | None = None) -> Value:
    """What a plugin is told of a value."""
    known = fact.types & ~NULL
    external = fact.external if known == EXTERNAL or number_of(fact) else None
    items = None
    if known == TUPLE and fact.items is not None:
        items = tuple(map(value_of, fact.items))
    text = external.name if external is not None else show(fact, ranges_too=False)
    name = fact.name if known & ANY_OBJECT == ANY_OBJECT else ""
    return Value(text, external, _constant(fact), name, items, position)


PYTHON = {"f64": FLOAT, "i64": INT, "bool": BOOL}
"""By what a scalar of NumPy is: the class of Python's that stands for the same number."""


def number_of(fact: Fact) -> str:
    """Of a value that is a scalar of NumPy, or either that or the same number of Python's: which; else nothing."""
    if not fact.types & EXTERNAL or fact.external is None or not fact.external.number:
        return ""
    rest = fact.types & ~EXTERNAL & ~NULL
    if rest & ~PYTHON[fact.external.number] or (rest & INT and not (fact.signed and fact.lo is not None)):
        return ""
    return fact.external.number


def _constant(fact: Fact) -> object:
    literal = fact.literal
    if literal is not None and _is_plain(literal.value):
        return literal.value
    if fact.types == TUPLE and fact.items is not None:
        parts = tuple(map(_constant, fact.items))
        return Unknown.UNKNOWN if Unknown.UNKNOWN in parts else parts
    return Unknown.UNKNOWN


def _is_plain(value: object) -> bool:
    return type(value) in PLAIN or (type(value) is tuple and all(map(_is_plain, value)))


def fact_of(type: Type) -> Fact:
    """The assumption that a plugin's answer makes, as a load guards it."""
    return loaded(_declared(type))


def _declared(type: Type) -> Fact:
    match type:
        case ExternalType():
            return instance_of(type)
        case tuple():
            return tuple_of(tuple(map(_declared, type)))
    fact = annotation_fact(type)
    return OBJECT if not fact.types or fact.types & ANY_OBJECT == ANY_OBJECT else fact


def takes_constant(native: str, constant: object) -> bool:
    """The same for a default that the plugin adds."""
    match native:
        case "object":
            return _is_plain(constant)
        case "double":
            return type(constant) is float
        case "bool":
            return type(constant) is bool
    lowest, highest = RESULTS[native].range
    return type(constant) is int and lowest is not None and highest is not None and lowest <= constant <= highest


def takes(native: str, fact: Fact) -> bool:
    """Whether a value can be handed over as the C type `native`, or as an object."""
    match native:
        case "object":
            return True
        case "double":
            return fact.only(FLOAT) or (fact.only(INTEGER) and fact.fits_word)
        case "bool":
            return fact.only(BOOL)
    return (fact.only(INT) and fact.fits_word and fact.signed) or fact.only(BOOL)
