"""How each Python value is held in native code.

General bodies hold everything as objects (and truth values as bits). A fast body holds what inference knows to be a
number in a
register; the choice is made here, once, from facts, and lowering asks nobody else.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from ppy_compiler.infer import atoms, ranges
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import BlockArgument, Operation, OpResult, Region, Type, Value
from ppy_compiler.ir.types import F64, I1, I64, OBJECT, either_type


class Repr(enum.Enum):
    """A representation and the letter that stands for it in the names of exits."""

    OBJ = "o"
    """A Python object."""
    I64 = "i"
    """An exact ``int`` in a signed word."""
    U64 = "u"
    """An exact ``int`` in an unsigned word."""
    F64 = "f"
    """An exact ``float``."""
    BOOL = "b"
    """``True`` or ``False`` as a bit."""
    NF64 = "x"
    """A ``float`` or a ``numpy.float64``, and a bit: 1 for NumPy's."""
    NI64 = "y"
    """The same of ``int`` in a signed word and ``numpy.int64``."""
    NBOOL = "z"
    """The same of ``bool`` and ``numpy.bool``."""
    BIT = "t"
    """A truth value of the IR (``i1``), not a Python object."""

    @property
    def native(self) -> Type:
        return NATIVE[self]

    @property
    def is_word(self) -> bool:
        return self in (Repr.I64, Repr.U64)

    @property
    def either(self) -> bool:
        """Whether it is a number of Python's or of NumPy."""
        return self in PYTHON

    @property
    def scalar(self) -> bool:
        return self is not Repr.OBJ


PYTHON = {Repr.NF64: Repr.F64, Repr.NI64: Repr.I64, Repr.NBOOL: Repr.BOOL}
"""The representation of the same number where it is known to be Python's."""
EITHER = {python: either for either, python in PYTHON.items()}
NUMBERS = {"f64": (Repr.NF64, atoms.FLOAT), "i64": (Repr.NI64, atoms.INT), "bool": (Repr.NBOOL, atoms.BOOL)}
"""By `ExternalType.number`: the representation, and the class of Python's that it stands for, too."""
NATIVE = {Repr.OBJ: OBJECT, Repr.I64: I64, Repr.U64: I64, Repr.F64: F64, Repr.BOOL: I1, Repr.BIT: I1}
NATIVE.update({either: either_type(NATIVE[python]) for either, python in PYTHON.items()})


def of_fact(fact: Fact | None) -> Repr:
    """The representation of a value that is never the null marker."""
    if fact is None:
        return Repr.OBJ
    types = fact.types & ~atoms.NULL
    if types == atoms.FLOAT:
        return Repr.F64
    if types == atoms.BOOL:
        return Repr.BOOL
    if types == atoms.INT and fact.lo is not None and fact.hi is not None:
        if fact.lo >= -(1 << 63) and fact.hi < 1 << 63:
            return Repr.I64
        if fact.lo >= 0 and fact.hi < 1 << 64:
            return Repr.U64
    return _of_external(fact, types)


def _of_external(fact: Fact, types: int) -> Repr:
    """Of an instance of a library's class that is a number, perhaps one of Python's."""
    if not types & atoms.EXTERNAL or fact.external is None or not fact.external.number:
        return Repr.OBJ
    kind, python = NUMBERS[fact.external.number]
    if types & ~atoms.EXTERNAL & ~python or (types & atoms.INT and not ranges.within(fact.range, ranges.I64)):
        return Repr.OBJ
    return kind


class Plan:
    """The representation of every value of one function's fast body; ``nullable`` values carry a presence bit (or
    may be a null pointer)."""

    def __init__(self, region: Region, facts: Mapping[Value, Fact]) -> None:
        self.reprs: dict[Value, Repr] = {}
        self.nullable = null_markers(region)
        self.flagged: set[Value] = set()
        for block in region.blocks:
            for arg in block.args:
                self._choose(arg, facts.get(arg))
            for op in block.ops:
                for result in op.results:
                    self._choose(result, facts.get(result))
        self._settle(region)

    def _choose(self, value: Value, fact: Fact | None) -> None:
        found = Repr.BIT if value.type == I1 else of_fact(fact)
        if (
            found not in (Repr.BIT, Repr.OBJ)
            and value in self.nullable
            and fact is not None
            and fact.types & atoms.NULL
        ):
            if isinstance(value, BlockArgument):
                self.flagged.add(value)
            elif not _is_item(value):
                found = Repr.OBJ
        self.reprs[value] = found

    def _settle(self, region: Region) -> None:
        """Some arguments cannot be unboxed on an edge: while an exception is in flight no guard may fail, and an
        object that may be the null
        marker has nothing to unbox."""
        changed = True
        while changed:
            changed = False
            for block in region.blocks:
                for op in block.ops:
                    changed |= self._box_range(op)
                    for edge in op.edges():
                        unwinding = edge is op.unwind
                        for arg, value in zip(edge.block.args[unwinding:], edge.operands, strict=True):
                            if self._must_box(arg, value, unwinding):
                                self.reprs[arg] = Repr.OBJ
                                self.flagged.discard(arg)
                                changed = True

    def _box_range(self, op: Operation) -> bool:
        """A counted loop is one on signed words or one on objects: the item is null at the end of the latter."""
        words = RANGE_WORDS.get(op.name)
        if words is None or all(self.reprs[v] is Repr.I64 for v in words(op)):
            return False
        boxed = [v for v in op.results if self.reprs[v] not in (Repr.OBJ, Repr.BIT)]
        self.reprs.update(dict.fromkeys(boxed, Repr.OBJ))
        return bool(boxed)

    def _must_box(self, arg: Value, value: Value, unwinding: bool) -> bool:
        if self.reprs[arg] in (Repr.OBJ, Repr.BIT) or _is_unbound(value) or self.reprs[value] is self.reprs[arg]:
            return False
        return unwinding or (self.reprs[value] is Repr.OBJ and value in self.nullable)

    @property
    def unboxes(self) -> bool:
        """Whether anything that lives in a loop or crosses the boundary is held unboxed: otherwise the general body
        is as good."""
        return any(
            r in (Repr.I64, Repr.U64, Repr.F64, Repr.NF64, Repr.NI64)
            for v, r in self.reprs.items()
            if isinstance(v, BlockArgument) or _computed(v)
        )


def _is_unbound(value: Value) -> bool:
    return isinstance(value, OpResult) and value.op.name == "py.unbound"


def _is_item(value: Value) -> bool:
    """Items of iteration may be null only where nobody looks: the presence is the operation's other result."""
    return isinstance(value, OpResult) and value.op.name in ("py.next", "py.range_next") and value.index == 0


def _begin_words(op: Operation) -> list[Value]:
    """Arguments and first state: what ``range`` needs as words, and what it gives."""
    _, *state = op.results
    return [*op.operands[1:], *state]


def _next_words(op: Operation) -> list[Value]:
    """The state, behind the iterator."""
    return list(op.operands[1:])


RANGE_WORDS = {"py.range_begin": _begin_words, "py.range_next": _next_words}


def null_markers(region: Region) -> set[Value]:
    """Values that may be the null marker, whatever the types: they hold on every path, also in general bodies."""
    found: set[Value] = set()
    for block in region.blocks:
        for op in block.ops:
            if op.name in NULLABLE_RESULTS:
                found.add(op.results[NULLABLE_RESULTS[op.name]])
    changed = True
    while changed:
        changed = False
        for block in region.blocks:
            for op in block.ops:
                for edge in op.edges():
                    for arg, value in zip(edge.block.args[edge is op.unwind :], edge.operands, strict=True):
                        if value in found and arg not in found:
                            found.add(arg)
                            changed = True
    return found


NULLABLE_RESULTS = {
    "py.unbound": 0,
    "py.next": 0,
    "py.range_next": 0,
    "py.load_method": 1,
    "py.load_super": 1,
    "py.range_begin": 0,
}
"""Operations that may give the null marker, and which result."""


def _computed(value: Value) -> bool:
    return isinstance(value, OpResult) and value.op.name in ("py.binary", "py.unary", "py.range_next")
