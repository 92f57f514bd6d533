"""Facts as people read them: in hover texts, ``reveal_type`` and test expectations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BUILTIN,
    CLASS,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    INTEGER,
    ITERATOR,
    MODULE,
    NAMES,
    NULL,
    TUPLE,
    atoms_of,
)

if TYPE_CHECKING:
    from ppy_compiler.infer.facts import Fact

NAMED_FORMS = {FUNCTION: "function", BUILTIN: "builtin", MODULE: "module", CLASS: "type", ITERATOR: "iterator"}


def show(fact: Fact, *, ranges_too: bool = True) -> str:
    """Python's notation, with a range in brackets: ``int[0..99]``, ``tuple[int, float]``, ``float | None``."""
    if fact.types & ANY_OBJECT == ANY_OBJECT:
        return "object" + (" | unbound" if fact.types & NULL else "")
    if not fact.types:
        return "Never"
    if fact.types & INTEGER == INTEGER and ranges_too:
        parts = [_integer(fact, "int | bool", True)]
    else:
        parts = [_integer(fact, NAMES[atom], ranges_too) for atom in atoms_of(fact.types & INTEGER)]
    parts += [_atom(fact, atom, ranges_too) for atom in atoms_of(fact.types & ~INTEGER)]
    return " | ".join(parts)


def _integer(fact: Fact, name: str, ranges_too: bool) -> str:
    if not ranges_too or fact.range == ranges.FULL or (name == "bool" and fact.literal is None):
        return name
    if fact.literal is not None:
        return f"{name}({fact.literal.value!r})"
    lo, hi = fact.range
    if (lo, hi) == ranges.I64:
        return name + "[i64]"
    if (lo, hi) == ranges.U64:
        return name + "[u64]"
    return f"{name}[{_bound(lo)}..{_bound(hi)}]"


def _bound(value: int | None) -> str:
    if value is None:
        return ""
    for power in (31, 32, 53, 62, 63, 64):
        for sign in (1, -1):
            for offset in (-1, 0, 1):
                if value == sign * (1 << power) + offset:
                    return f"{'-' if sign < 0 else ''}2^{power}" + (f"{offset:+d}" if offset else "")
    return str(value)


def _atom(fact: Fact, atom: int, ranges_too: bool) -> str:
    name = {"none": "None", "null": "unbound"}.get(NAMES[atom], NAMES[atom])
    if atom == TUPLE and fact.items is not None:
        return f"tuple[{', '.join(show(item, ranges_too=ranges_too) for item in fact.items) or '()'}]"
    if atom in NAMED_FORMS and fact.name and atom != ITERATOR:
        return f"{NAMED_FORMS[atom]}[{fact.name}]"
    if atom == EXTERNAL and fact.external is not None:
        return str(fact.external) if ranges_too else fact.external.name
    if atom == INSTANCE:
        return fact.name or "instance"
    if fact.value is not None and name == "dict" and fact.element is not None:
        return f"dict[{show(fact.element, ranges_too=ranges_too)}, {show(fact.value, ranges_too=ranges_too)}]"
    if fact.element is not None and name in ("list", "set", "frozenset", "iterator", "tuple"):
        inside = show(fact.element, ranges_too=ranges_too)
        return f"{name}[{inside}{', ...' if name == 'tuple' else ''}]"
    if fact.literal is not None and ranges_too and name in ("str", "bytes", "float"):
        return f"{name}({fact.literal.value!r})"
    return name
