"""The ``mem`` dialect: function-local slots, memory, symbols.

A slot is a local variable of the native function. Bodies keep in slots what lives across blocks: that makes every
block a
possible entry (a twin is entered in its middle, a loop is re-entered at its header) without repairing SSA form, and a
backend's own promotion to registers undoes the cost where it matters.
"""

from __future__ import annotations

from ppy_compiler.ir import Op, Trait, attr, operand, result
from ppy_compiler.ir.types import PTR, Type


def slot_type(element: Type) -> Type:
    """The type of a slot that holds ``element``."""
    return Type("slot", (element,))


class Slot(Op):
    """A fresh, uninitialised slot; stands in the entry block. Result type ``slot<element>``."""

    name = "mem.slot"
    slot = result()


class Get(Op):
    name = "mem.get"
    slot = operand()
    value = result()


class Set(Op):
    name = "mem.set"
    slot = operand()
    value = operand()


class Array(Op):
    """Room for ``size`` bytes, 16-byte aligned, zeroed when ``zero``; stands in the entry block."""

    name = "mem.array"
    size = attr(int)
    zero = attr(bool, False)
    address = result(PTR)


class Load(Op):
    """What stands ``offset`` bytes after ``address``; ``invariant`` when nothing ever changes it once it is set.

    ``space``: "header" or "element" of an array; one is never in the memory of the other. Nothing: anywhere."""

    name = "mem.load"
    offset = attr(int, 0)
    invariant = attr(bool, False)
    space = attr(str, "")
    address = operand()
    value = result()


class Store(Op):
    """``space`` as of ``mem.load``."""

    name = "mem.store"
    offset = attr(int, 0)
    space = attr(str, "")
    address = operand()
    value = operand()


class Offset(Op):
    """``address + offset`` bytes; as a slot where the place holds one value."""

    name = "mem.offset"
    traits = Trait.PURE
    offset = attr(int)
    address = operand()
    value = result()


class Index(Op):
    """``address + distance * size`` bytes, the distance computed at run time."""

    name = "mem.index"
    traits = Trait.PURE
    size = attr(int, 1)
    address = operand()
    distance = operand()
    value = result(PTR)


class Symbol(Op):
    """The address of a global symbol of the unit or of the C library."""

    name = "mem.symbol"
    traits = Trait.PURE
    symbol = attr(str)
    address = result()


OPS = (Slot, Get, Set, Array, Load, Store, Offset, Index, Symbol)
