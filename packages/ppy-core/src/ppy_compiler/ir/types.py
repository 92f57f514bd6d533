"""Types of IR values: a name with parameters, compared by content.

A type says how a value is represented (``object``, ``i64``, ``f64``, ``ptr`` ...), never what an analysis proved about
it: facts live beside the IR (see ``infer``).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """``name`` or ``name<parameter, ...>``; parameters are types, integers or words."""

    name: str
    parameters: tuple[Type | int | str, ...] = ()

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        return f"{self.name}<{', '.join(str(p) for p in self.parameters)}>"


OBJECT = Type("object")
"""A Python object. In the ``py`` dialect also the null marker of an unbound variable (``py.unbound``)."""
CELL = Type("cell")
"""A closure cell object."""
I1 = Type("i1")
I8 = Type("i8")
I32 = Type("i32")
I64 = Type("i64")
U64 = Type("u64")
"""A 64-bit word holding an unsigned value; arithmetic on it is the same as on ``i64`` where only low bits count."""
I128 = Type("i128")
F64 = Type("f64")
PTR = Type("ptr")
"""A machine address."""


def either_type(number: Type) -> Type:
    """The type of a number together with a bit that says of which of two classes it is an instance."""
    return Type("either", (number,))
