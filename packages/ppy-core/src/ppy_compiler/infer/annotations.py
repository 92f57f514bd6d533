"""Annotations as facts: what the source text of a type promises, where it can be told by looking at one object.

``int`` is exactly ``int``: a ``bool`` or a subclass is a valid argument but takes the general path, and so does an
``int`` given for ``float``. What says
nothing about one object (``Any``, protocols, classes of the program, type variables, what cannot be read) is
``OBJECT``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from ppy_compiler.infer import ranges
from ppy_compiler.infer.atoms import (
    ANY_OBJECT,
    BOOL,
    BY_NAME,
    CLASS,
    DICT,
    FLOAT,
    FROZENSET,
    INT,
    LIST,
    NONE,
    SET,
    STR,
    TUPLE,
)
from ppy_compiler.infer.facts import (
    NONE_FACT,
    OBJECT,
    Fact,
    boolean,
    container,
    instance_of,
    integer,
    of_types,
    replace,
    tuple_of,
)
from ppy_compiler.infer.lattice import join, meet
from ppy_compiler.infer.naming import NO_LIBRARIES, LibraryNames

WIDTHS: dict[str, Fact] = {
    **{f"i{bits}": integer(-(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": integer(0, (1 << bits) - 1) for bits in (8, 16, 32, 64)},
    **{f"f{bits}": of_types(FLOAT) for bits in (16, 32, 64)},
}
TYPING = {
    "List": LIST,
    "Dict": DICT,
    "Set": SET,
    "FrozenSet": FROZENSET,
    "Tuple": TUPLE,
    "Text": STR,
    "Type": CLASS,
    "type": CLASS,
}
WRAPPERS = frozenset(
    ("Annotated", "Final", "ClassVar", "Owned", "Borrowed", "Mut", "Required", "NotRequired", "ReadOnly")
)
MODULES = frozenset(("typing", "t", "tp", "ppy", "builtins", "typing_extensions", "collections"))


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean in the annotations of one module: ``shadowed`` are those that it binds to something of its
    own."""

    shadowed: frozenset[str] = frozenset()
    libraries: LibraryNames = NO_LIBRARIES


ANYWHERE = Scope()


def annotation_fact(text: str, scope: Scope = ANYWHERE) -> Fact:
    """The assumption that an annotation makes."""
    return _parse(text, scope)


@lru_cache(maxsize=2048)
def _parse(text: str, scope: Scope) -> Fact:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return OBJECT
    return _fact(node, scope)


def _name(node: ast.expr, scope: Scope) -> str:
    match node:
        case ast.Name(id=name):
            return "" if name in scope.shadowed else name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in MODULES:
            return name
    return ""


def _fact(node: ast.expr, scope: Scope) -> Fact:
    match node:
        case ast.Constant(value=None):
            return NONE_FACT
        case ast.Constant(value=str(text)):
            return _parse(text, scope)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return join(_fact(left, scope), _fact(right, scope))
        case ast.Subscript() | ast.Name() | ast.Attribute() if (external := scope.libraries.type(node)) is not None:
            return instance_of(external)
        case ast.Subscript(value=value, slice=index):
            return _subscript(_name(value, scope), index, scope)
        case ast.Name() | ast.Attribute():
            return _named(_name(node, scope))
    return OBJECT


def _named(name: str) -> Fact:
    if name in WIDTHS:
        return WIDTHS[name]
    atoms = BY_NAME.get(name) or TYPING.get(name)
    if name in ("bool", "Bool"):
        return boolean()
    if atoms is None:
        return OBJECT
    return container(atoms, OBJECT, OBJECT) if atoms & (LIST | DICT | SET | FROZENSET | TUPLE) else of_types(atoms)


def _subscript(name: str, index: ast.expr, scope: Scope) -> Fact:
    arguments = index.elts if isinstance(index, ast.Tuple) else [index]
    if name in WRAPPERS:
        fact = _fact(arguments[0], scope)
        for refinement in arguments[1:]:
            fact = _refined(fact, refinement, scope)
        return fact
    if name == "Optional":
        return join(_fact(arguments[0], scope), NONE_FACT)
    if name == "Union":
        fact = Fact(0)
        for argument in arguments:
            fact = join(fact, _fact(argument, scope))
        return fact
    if name == "Literal":
        return _literal(arguments)
    atoms = BY_NAME.get(name) or TYPING.get(name)
    if atoms == TUPLE:
        return _tuple(arguments, scope)
    if atoms in (LIST, SET, FROZENSET) and len(arguments) == 1:
        return container(atoms, _fact(arguments[0], scope))
    if atoms == DICT and len(arguments) == 2:
        return container(DICT, _fact(arguments[0], scope), _fact(arguments[1], scope))
    if atoms == CLASS:
        return of_types(CLASS) if name == "type" else OBJECT
    return OBJECT


def _tuple(arguments: list[ast.expr], scope: Scope) -> Fact:
    match arguments:
        case [item, ast.Constant(value=value)] if value is ...:
            return container(TUPLE, _fact(item, scope))
        case [ast.Tuple(elts=[])]:
            return tuple_of(())
    if any(isinstance(a, ast.Starred) for a in arguments):
        return container(TUPLE, OBJECT)
    return tuple_of(tuple(_fact(a, scope) for a in arguments))


def _literal(arguments: list[ast.expr]) -> Fact:
    """The types of the alternatives: which value it is, a guard does not check."""
    fact = Fact(0)
    for argument in arguments:
        try:
            value = ast.literal_eval(argument)
        except ValueError:
            return OBJECT
        fact = join(fact, of_types(BY_NAME.get(type(value).__name__, ANY_OBJECT)) if value is not None else NONE_FACT)
    return fact


def _bound(node: ast.expr) -> int | None:
    value = ast.literal_eval(node)
    return value if isinstance(value, int) else None


def _refined(fact: Fact, refinement: ast.expr, scope: Scope) -> Fact:
    """``Annotated[int, Range(lo, hi)]``, and what the plugin of a library's type knows; others say nothing here."""
    if fact.external is not None:
        return replace(fact, external=scope.libraries.annotated(fact.external, refinement))
    match refinement:
        case ast.Call(func=ast.Name(id="Range") | ast.Attribute(attr="Range"), args=[low, high]) if fact.types & INT:
            try:
                lo, hi = _bound(low), _bound(high)
            except ValueError:
                return fact
            if lo is not None and hi is not None and lo > hi:
                return fact
            return meet(fact, Fact(ANY_OBJECT, lo, hi))
    return fact


def parameter_fact(text: str, scope: Scope = ANYWHERE) -> Fact:
    """An annotated parameter as the entry checks it: integers fit 64 bits, refinements are checked too."""
    return entry_checked(annotation_fact(text, scope))


def entry_checked(fact: Fact) -> Fact:
    """What an entry or a load guard establishes of a declared type: integers without own range fit 64 signed bits."""
    if fact is OBJECT or fact.types & ANY_OBJECT == ANY_OBJECT:
        return OBJECT
    changes: dict[str, object] = {"guarded": True}
    if fact.types & INT and not ranges.fits_word(fact.range):
        limits = ranges.intersect(fact.range, ranges.I64)
        if limits is not None:
            changes["lo"], changes["hi"] = limits
    if fact.items is not None and fact.types & TUPLE:
        changes["items"] = tuple(replace(entry_checked(item), guarded=False) for item in fact.items)
    return replace(fact, **changes)


__all__ = ["ANYWHERE", "BOOL", "NONE", "Scope", "annotation_fact", "entry_checked", "parameter_fact"]
