"""Rules that refine a model's declared result, by the names that the stubs use (``result=``).

A rule gets the call's site and answers the result's fact, or ``None`` when the overload does not fit after all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    BOOL,
    BUILTIN,
    CLASS,
    DICT,
    FLOAT,
    GUARDABLE,
    INT,
    INTEGER,
    ITERATOR,
    LIST,
    NUMBER,
    RANGE,
    SET,
    STR,
    TUPLE,
    VIEW,
)
from ppy_compiler.infer.facts import (
    NEVER,
    NONE_FACT,
    OBJECT,
    Fact,
    boolean,
    container,
    integer,
    named,
    of_types,
    tuple_of,
)
from ppy_compiler.infer.lattice import join, join_all
from ppy_compiler.infer.narrowing import class_atoms
from ppy_compiler.infer.transfer.arithmetic import integer_binary, number_binary, word_result
from ppy_compiler.infer.transfer.comparisons import isinstance_result, truth_of
from ppy_compiler.infer.transfer.iteration import item_of, iterator_of
from ppy_compiler.infer.transfer.lengths import LONGEST, length_range
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.infer.transfer.sequences import element_of
from ppy_compiler.ir import Operation, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis


@dataclass(frozen=True, slots=True)
class Site:
    """One call of a modelled function: ``arguments`` by parameter name, ``facts`` in order, ``declared`` the stub's
    result."""

    op: Operation
    values: list[Value]
    facts: list[Fact]
    arguments: dict[str, Fact]
    declared: Fact
    env: FunctionAnalysis


Rule = Callable[[Site], Fact | None]


def absolute(site: Site) -> Fact:
    return word_result(ranges.absolute(site.facts[0].range), site.facts[0])


def same_integer(site: Site) -> Fact:
    """An integer of the argument's value, exactly ``int`` also for a ``bool``."""
    return integer(*site.facts[0].range)


def int_of(site: Site) -> Fact:
    return integer(*site.facts[0].range) if site.facts else integer(0, 0)


def declared_integer(site: Site) -> Fact:
    return integer()


def divmod_of(site: Site) -> Fact:
    quotient, _ = integer_binary("//", site.facts[0], site.facts[1])
    remainder, _ = integer_binary("%", site.facts[0], site.facts[1])
    if not quotient.types:
        return NEVER
    return tuple_of((quotient, remainder))


def _extreme(largest: bool) -> Rule:
    def rule(site: Site) -> Fact | None:
        facts = site.facts
        result = NEVER
        for fact in facts:
            result = join(result, fact.plain())
        if all(fact.only(INTEGER) for fact in facts):
            bound = max if largest else min
            lo = bound(ranges.low(fact.range) for fact in facts)
            hi = bound(ranges.high(fact.range) for fact in facts)
            return Fact(result.types, *ranges.make(lo, hi))
        return result

    return rule


def _extreme_of(largest: bool) -> Rule:
    def rule(site: Site) -> Fact | None:
        fact = site.facts[0]
        if fact.only(RANGE):
            return integer()
        element = element_of(fact)
        return loaded(element)

    return rule


def length(site: Site) -> Fact:
    return length_range(site.facts[0])


def instance(site: Site) -> Fact | None:
    return isinstance_result(site.facts[0], site.facts[1]) if class_atoms(site.facts[1]) is not None else None


def truth(site: Site) -> Fact:
    if not site.facts:
        return boolean(0, 0)
    found, _ = truth_of(site.facts[0])
    return found


def type_of(site: Site) -> Fact:
    fact = site.facts[0]
    if not fact.types & (fact.types - 1) and fact.types & (GUARDABLE) and fact.kind != "none":
        return named(CLASS, f"builtins.{fact.kind}")
    return OBJECT


def range_object(site: Site) -> Fact:
    facts = [fact.plain() for fact in site.facts]
    one, zero = integer(1, 1), integer(0, 0)
    start, stop, step = (zero, facts[0], one) if len(facts) == 1 else (*facts, one)[:3]
    return Fact(RANGE, items=(start, stop, step))


def iterator(site: Site) -> Fact:
    return iterator_of(site.facts[0]) or OBJECT


def enumerated(site: Site) -> Fact:
    inner = iterator_of(site.facts[0])
    if inner is None:
        return OBJECT
    start = site.arguments.get("start", integer(0, 0))
    lo = ranges.low(start.range)
    counter = (
        integer(lo, lo + LONGEST) if start.fits_word and lo <= 0 else integer(lo if start.fits_word else None, None)
    )
    counter = integer(*(ranges.intersect(counter.range, ranges.I64) or counter.range))
    return container(ITERATOR, Fact(TUPLE, items=(counter, item_of(inner))), name="enumerate")


def zipped(site: Site) -> Fact:
    inner = [iterator_of(fact) for fact in site.facts]
    if any(fact is None for fact in inner):
        return OBJECT
    return container(
        ITERATOR, Fact(TUPLE, items=tuple(item_of(fact) for fact in inner if fact is not None)), name="zip"
    )


def backwards(site: Site) -> Fact:
    fact = site.facts[0]
    inner = iterator_of(fact)
    if inner is None:
        return OBJECT
    # Ranges give the same numbers in the other direction; strings go through the sequence protocol, which gives
    # strings.
    return container(
        ITERATOR, inner.element, name="range" if fact.only(RANGE) else "str" if fact.only(STR) else "reversed"
    )


def sorted_list(site: Site) -> Fact:
    fact = site.facts[0]
    return container(LIST, _iterated(fact))


def _iterated(fact: Fact) -> Fact | None:
    """Element fact of what iterating over the value gives, ``None`` where nothing is known."""
    inner = iterator_of(fact)
    return None if inner is None else inner.element


def list_of(site: Site) -> Fact:
    return container(LIST, _iterated(site.facts[0]) if site.facts else NEVER)


def tuple_from(site: Site) -> Fact:
    if not site.facts:
        return tuple_of(())
    fact = site.facts[0]
    return fact.plain() if fact.only(TUPLE) else container(TUPLE, _iterated(fact))


def set_of(site: Site) -> Fact:
    return container(site.declared.types, _iterated(site.facts[0]) if site.facts else NEVER)


def str_of(site: Site) -> Fact:
    """``str(x)`` is exactly ``str`` for built-in values; another class's ``__str__`` may give a subclass."""
    return of_types(STR) if not site.facts or site.facts[0].exact else OBJECT


def sum_of(site: Site) -> Fact:
    start = site.arguments.get("start", integer(0, 0))
    element = _iterated(site.facts[0])
    if element is None or not element.types or not element.only(NUMBER) or element.types & (element.types - 1):
        return OBJECT
    if element.only(INTEGER) and start.only(INTEGER):
        return Fact(INT, guarded=True)
    return Fact(FLOAT, guarded=True) if element.only(FLOAT) and start.only(FLOAT) else OBJECT


def power(site: Site) -> Fact:
    return number_binary("**", site.facts[0], site.facts[1])[0]


def power_mod(site: Site) -> Fact:
    found = ranges.mod(ranges.FULL, site.facts[2].range)
    return NEVER if found is None else integer(*found)


def _binary(kind: str) -> Rule:
    return lambda site: number_binary(kind, site.facts[0], site.facts[1])[0]


def negated(site: Site) -> Fact:
    fact = site.facts[0]
    return (
        word_result(ranges.neg(fact.range), fact)
        if fact.only(INTEGER)
        else of_types(fact.types & FLOAT | (INT if fact.types & INTEGER else 0))
    )


def square_root(site: Site) -> Fact:
    hi = site.facts[0].hi
    return integer(0, None if hi is None or hi < 0 else int(hi**0.5) + 2 if hi < 1 << 100 else hi)


def common_divisor(site: Site) -> Fact:
    highest = [ranges.high(ranges.absolute(fact.range)) for fact in site.facts]
    return integer(*ranges.make(0, max(highest))) if highest else integer(0, 0)


def receiver(site: Site) -> Fact:
    return site.facts[0].plain()


def last(site: Site) -> Fact:
    return site.facts[-1].plain()


def appended(site: Site) -> Fact:
    site.env.grow(site.values[0], site.facts[1])
    return NONE_FACT


def extended(site: Site) -> Fact:
    site.env.grow(site.values[0], _iterated(site.facts[1]) or OBJECT)
    return NONE_FACT


def popped(site: Site) -> Fact:
    return loaded(site.facts[0].element)


def dict_value(site: Site) -> Fact:
    """A value of the dict or the default, where both are of one type that the load can guard."""
    value = site.facts[0].value
    if value is None or not (value.types or "default" in site.arguments):
        return OBJECT
    default = site.arguments.get("default", NONE_FACT)
    return loaded(join(value, default.plain()))


def keys_view(site: Site) -> Fact:
    return container(VIEW, site.facts[0].element, name="keys")


def values_view(site: Site) -> Fact:
    return container(VIEW, site.facts[0].value, name="values")


def items_view(site: Site) -> Fact:
    """Iterating gives pairs whose parts are as uncertain as the dict's: whoever takes a pair apart guards them."""
    fact = site.facts[0]
    return container(VIEW, Fact(TUPLE, items=(loaded(fact.element), loaded(fact.value))), name="items")


def same(site: Site) -> Fact:
    """A directive gives back what it decorates; called with options only, it gives such a directive."""
    if len(site.facts) == 1 and site.facts[0].types & ~BOOL and not getattr(site.op, "kwnames", ()):
        return site.facts[0].plain()
    return named(BUILTIN, "ppy.inline")


def directive(site: Site) -> Fact:
    return named(BUILTIN, "ppy.inline")


RULES: dict[str, Rule] = {
    "abs": absolute,
    "abs_same": same_integer,
    "int_of_int": int_of,
    "floor": declared_integer,
    "divmod": divmod_of,
    "max": _extreme(True),
    "min": _extreme(False),
    "max_of": _extreme_of(True),
    "min_of": _extreme_of(False),
    "len": length,
    "isinstance": instance,
    "bool": truth,
    "type_of": type_of,
    "range": range_object,
    "iter": iterator,
    "enumerate": enumerated,
    "zip": zipped,
    "reversed": backwards,
    "sorted": sorted_list,
    "list_of": list_of,
    "tuple_of": tuple_from,
    "set_of": set_of,
    "str_of": str_of,
    "sum": sum_of,
    "pow": power,
    "powmod": power_mod,
    "add": _binary("+"),
    "sub": _binary("-"),
    "mul": _binary("*"),
    "neg": negated,
    "isqrt": square_root,
    "gcd": common_divisor,
    "receiver": receiver,
    "last": last,
    "append": appended,
    "extend": extended,
    "pop": popped,
    "dict_get": dict_value,
    "dict_keys": keys_view,
    "dict_values": values_view,
    "dict_items": items_view,
    "same": same,
    "directive": directive,
}
__all__ = ["DICT", "RULES", "SET", "Site", "join_all"]
