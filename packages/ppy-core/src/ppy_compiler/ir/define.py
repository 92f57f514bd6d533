"""Declaring operations: a class body of fields, from which everything else is derived.

::

    class Binary(Op):
        '''``lhs op rhs`` through the number protocol.'''

        name = "py.binary"
        traits = Trait.RAISES | Trait.RUNS_CODE
        kind = attr(str)
        lhs = operand()
        rhs = operand()
        value = result(OBJECT)

    add = Binary(a, b, kind="+", span=span)
    add.lhs, add.value, add.kind

The constructor takes operand fields, then successor fields, then regions, in order of declaration; attributes by
keyword; ``types=`` where result types are not fixed by the declaration. A group of operands (``operands``) is given as
a sequence, an absent optional one as ``None``. ``definition`` holds the declaration for the printer, the parser and
the verifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from ppy_compiler.ir.core import Operation, Region, Successor, Value
from ppy_compiler.ir.types import Type

if TYPE_CHECKING:
    from ppy_compiler.support.spans import Span

T = TypeVar("T")
MISSING: Any = object()


Reader = Callable[[Operation], Any]


class Field:
    """A declared part of an operation; ``position`` counts within its own kind.

    In the class it stands for what an instance has there; when the class is complete, a property takes its place."""

    label = ""
    position = 0

    def reader(self, segmented: bool) -> Reader:
        """The accessor; ``segmented``: instances record how many operands each field has."""
        raise NotImplementedError


class OperandField(Field):
    """Exactly one operand."""

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Value: ...

    def reader(self, segmented: bool) -> Reader:
        position = self.position
        if segmented:
            return lambda op: op._operands[sum(op.segments[:position])]
        return lambda op: op._operands[position]


class OptionalOperandField(Field):
    """One operand or none."""

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Value | None: ...

    def reader(self, segmented: bool) -> Reader:
        position = self.position
        return lambda op: op._operands[sum(op.segments[:position])] if op.segments[position] else None


class OperandsField(Field):
    """Any number of operands."""

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Sequence[Value]: ...

    def reader(self, segmented: bool) -> Reader:
        position = self.position

        def read(op: Operation) -> Sequence[Value]:
            start = sum(op.segments[:position])
            return op._operands[start : start + op.segments[position]]

        return read


class ResultField(Field):
    """One result; ``fixed`` is its type, ``None`` where each instance chooses."""

    def __init__(self, fixed: Type | None) -> None:
        self.fixed = fixed

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Value: ...

    def reader(self, segmented: bool) -> Reader:
        position = self.position
        return lambda op: op.results[position]


class ResultsField(Field):
    """All results of an operation whose number of results varies; the only result field then."""

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Sequence[Value]: ...

    def reader(self, segmented: bool) -> Reader:
        return lambda op: op.results


class AttributeField(Field, Generic[T]):
    """A compile-time Python value of class ``kind``."""

    def __init__(self, kind: type[T] | None, default: T) -> None:
        self.kind = kind
        self.default = default

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> T: ...

    def reader(self, segmented: bool) -> Reader:
        label, default = self.label, self.default
        return lambda op: op.attributes.get(label, default)


class SuccessorField(Field):
    """One edge."""

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Successor: ...

    def reader(self, segmented: bool) -> Reader:
        position = self.position
        return lambda op: op.successors[position]


class RegionField(Field):
    """One nested region."""

    if TYPE_CHECKING:

        def __get__(self, op: Operation | None, owner: type) -> Region: ...

    def reader(self, segmented: bool) -> Reader:
        position = self.position
        return lambda op: op.regions[position]


def operand() -> OperandField:
    return OperandField()


def opt_operand() -> OptionalOperandField:
    return OptionalOperandField()


def operands() -> OperandsField:
    return OperandsField()


def result(type: Type | None = None) -> ResultField:
    return ResultField(type)


def results() -> ResultsField:
    return ResultsField()


@overload
def attr(kind: type[T], default: T = ...) -> AttributeField[T]: ...
@overload
def attr(kind: None = None, default: Any = ...) -> AttributeField[Any]: ...
def attr(kind: type[T] | None = None, default: Any = MISSING) -> AttributeField[T]:
    """``default`` makes the attribute optional; ``kind`` is checked by the verifier (``None``: any literal)."""
    return AttributeField(kind, default)


def successor() -> SuccessorField:
    return SuccessorField()


def region() -> RegionField:
    return RegionField()


@dataclass(frozen=True, slots=True)
class Definition:
    """The declared fields of an operation class, each kind in order."""

    operands: tuple[OperandField | OptionalOperandField | OperandsField, ...]
    results: tuple[ResultField | ResultsField, ...]
    attributes: tuple[AttributeField[Any], ...]
    successors: tuple[SuccessorField, ...]
    regions: tuple[RegionField, ...]
    segmented: bool
    """Whether an instance must record how many operands each field has."""
    fixed: tuple[Type, ...] | None
    """The types of the results where the declaration fixes them all."""
    ends: tuple[int, int, int]
    """How many parts of the constructor are operand fields, how many those and successors, how many all."""


OPERAND_FIELDS = (OperandField, OptionalOperandField, OperandsField)


def _collect(fields: dict[str, Field]) -> Definition:
    groups: list[list[Any]] = [[], [], [], [], []]
    kinds: tuple[Any, ...] = (OPERAND_FIELDS, (ResultField, ResultsField), AttributeField, SuccessorField, RegionField)
    for label, f in fields.items():
        f.label = label
        group = next(g for g, kind in zip(groups, kinds, strict=True) if isinstance(f, kind))
        f.position = len(group)
        group.append(f)
    segmented = any(not isinstance(f, OperandField) for f in groups[0])
    types = [f.fixed for f in groups[1] if isinstance(f, ResultField) and f.fixed is not None]
    fixed = tuple(types) if len(types) == len(groups[1]) else None
    operands, results, attributes, successors, regions = map(tuple, groups)
    edges = len(operands) + len(successors)
    ends = (len(operands), edges, edges + len(regions))
    return Definition(operands, results, attributes, successors, regions, segmented, fixed, ends)


class Op(Operation):
    """Base of declared operations."""

    __slots__ = ()

    definition: ClassVar[Definition]
    declared: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {label: f for label, f in vars(cls).items() if isinstance(f, Field)}
        cls.declared = cls.declared | own
        cls.definition = _collect(cls.declared)
        for label, f in own.items():
            setattr(cls, label, property(f.reader(cls.definition.segmented)))

    def __init__(
        self,
        *parts: Any,
        types: Iterable[Type] | None = None,
        span: Span | None = None,
        unwind: Successor | None = None,
        **attributes: Any,
    ) -> None:
        d = self.definition
        operands, edges, all_parts = d.ends
        if len(parts) != all_parts:
            raise TypeError(f"{self.name} takes {all_parts} operand, successor and region fields, not {len(parts)}")
        if types is None:
            types = d.fixed
            if types is None:
                raise TypeError(f"{self.name} needs types= for its results")
        flat, segments = _flatten(d, parts) if d.segmented else (parts[:operands], ())
        Operation.__init__(self, flat, types, attributes, parts[operands:edges], parts[edges:], segments, span, unwind)


def _flatten(d: Definition, parts: Sequence[Any]) -> tuple[list[Value], tuple[int, ...]]:
    """The operands one after the other, and how many each field has."""
    flat: list[Value] = []
    segments: list[int] = []
    for field, part in zip(d.operands, parts, strict=False):
        if type(field) is OperandsField:
            before = len(flat)
            flat.extend(part)
            segments.append(len(flat) - before)
        elif part is not None:
            flat.append(part)
            segments.append(1)
        else:
            segments.append(0)
    return flat, tuple(segments)
