"""The atoms of a fact: exact built-in types, everything else, and the null marker, as bits of an integer.

A set of atoms says which classes a value can have *exactly*: ``INT`` is ``type(x) is int``, so a subclass of ``int``
is ``OTHER``
and ``True`` is ``BOOL``. Union is ``|``, narrowing is ``&``, and "exact" is "no ``OTHER``".
"""

from __future__ import annotations

INT = 1 << 0
BOOL = 1 << 1
FLOAT = 1 << 2
COMPLEX = 1 << 3
NONE = 1 << 4
STR = 1 << 5
BYTES = 1 << 6
TUPLE = 1 << 7
LIST = 1 << 8
DICT = 1 << 9
SET = 1 << 10
FROZENSET = 1 << 11
BYTEARRAY = 1 << 12
RANGE = 1 << 13
SLICE = 1 << 14
ITERATOR = 1 << 15
"""An iterator of a built-in kind (``Fact.name`` says which): advancing it runs no Python code beyond the elements'
own."""
FUNCTION = 1 << 16
BUILTIN = 1 << 17
"""A built-in function or bound built-in method (``Fact.name``: the model's name)."""
MODULE = 1 << 18
CLASS = 1 << 19
INSTANCE = 1 << 20
"""An instance of a class of the compiled module, or of a modelled class (``Fact.name``), not of a built-in type
above."""
VIEW = 1 << 21
"""A view of an exact dict (``Fact.name``: ``keys``, ``values`` or ``items``; ``Fact.element``: what iterating over it
gives)."""
EXTERNAL = 1 << 22
"""An instance of exactly a library's class that a plugin models (``Fact.external``). Always an assumption, which is
checked where something is done on the strength of it."""
OTHER = 1 << 23
"""Any other object, subclasses of the types above included."""
NULL = 1 << 24
"""The null marker of an unbound variable."""

ANY_OBJECT = NULL - 1
NUMBER = INT | BOOL | FLOAT
INTEGER = INT | BOOL
SCALAR = NUMBER | NONE
SEQUENCE = STR | BYTES | TUPLE | LIST | BYTEARRAY | RANGE
CONTAINER = TUPLE | LIST | DICT | SET | FROZENSET | ITERATOR | VIEW
"""Atoms that give ``Fact.element`` a meaning."""
SHAPED = TUPLE | RANGE | SLICE
"""Atoms that give ``Fact.items`` a meaning: items, or start, stop and step."""
GUARDABLE = (1 << 15) - 1
"""Types that a guard on one object establishes by comparing its class."""
NAMED = ITERATOR | VIEW | FUNCTION | BUILTIN | MODULE | CLASS | INSTANCE
"""Atoms that give ``Fact.name`` a meaning."""
INERT = SCALAR | COMPLEX | STR | BYTES | RANGE | SLICE | BYTEARRAY | MODULE | BUILTIN
"""Releasing an object of these types runs no Python code."""

NAMES = {
    INT: "int",
    BOOL: "bool",
    FLOAT: "float",
    COMPLEX: "complex",
    NONE: "none",
    STR: "str",
    BYTES: "bytes",
    TUPLE: "tuple",
    LIST: "list",
    DICT: "dict",
    SET: "set",
    FROZENSET: "frozenset",
    BYTEARRAY: "bytearray",
    RANGE: "range",
    SLICE: "slice",
    ITERATOR: "iterator",
    FUNCTION: "function",
    BUILTIN: "builtin",
    MODULE: "module",
    CLASS: "class",
    INSTANCE: "instance",
    VIEW: "view",
    EXTERNAL: "external",
    OTHER: "object",
    NULL: "null",
}
BY_CLASS: dict[type, int] = {
    int: INT,
    bool: BOOL,
    float: FLOAT,
    complex: COMPLEX,
    type(None): NONE,
    str: STR,
    bytes: BYTES,
    tuple: TUPLE,
    list: LIST,
    dict: DICT,
    set: SET,
    frozenset: FROZENSET,
    bytearray: BYTEARRAY,
    range: RANGE,
    slice: SLICE,
}
BY_NAME: dict[str, int] = {cls.__name__: atom for cls, atom in BY_CLASS.items()}


def atoms_of(types: int) -> list[int]:
    """The single atoms in ``types``, in order."""
    return [atom for atom in NAMES if types & atom]
