"""Checks that IR is well formed: what every pass may rely on and must keep.

Takes any operation; reports each broken rule with the operation, its place and the rule, and changes nothing.
Meaning is not checked, only structure: declarations, terminators, edges and their arguments, definitions before uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ppy_compiler.ir.core import Block, Operation, Region, Successor, Value
from ppy_compiler.ir.define import MISSING, Op, OperandField, OperandsField, ResultField
from ppy_compiler.ir.dominance import Dominance
from ppy_compiler.ir.literals import format_literal
from ppy_compiler.ir.traits import Trait
from ppy_compiler.ir.types import OBJECT


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule."""

    op: str
    place: str
    rule: str

    def __str__(self) -> str:
        return f"{self.op} {self.place}: {self.rule}"


class VerifyError(ValueError):
    """IR that is not well formed; ``problems`` has them all."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def verify(op: Operation) -> None:
    """Raise ``VerifyError`` unless ``op`` and all inside it are well formed."""
    problems = list(find_problems(op))
    if problems:
        raise VerifyError(problems)


def find_problems(op: Operation) -> Iterator[Problem]:
    """Every broken rule in ``op`` and inside it, in order."""
    for rule in _op_rules(op):
        yield Problem(op.name, place_of(op), rule)
    for region in op.regions:
        if region.op is not op:
            yield Problem(op.name, place_of(op), "a region does not know its operation")
        yield from _region(op, region)


def place_of(op: Operation) -> str:
    """Where ``op`` stands, for people: function, block, position, span."""
    parts = []
    if op.parent is not None:
        region = op.parent.parent
        number = region.blocks.index(op.parent) if region is not None and op.parent in region.blocks else "?"
        position = next((i for i, other in enumerate(op.parent.ops) if other is op), "?")
        if region is not None and region.op is not None and "sym" in region.op.attributes:
            parts.append(f"in {region.op.attributes['sym']}")
        parts.append(f"block {number}, operation {position}")
    elif "sym" in op.attributes:
        parts.append(str(op.attributes["sym"]))
    if op.span is not None:
        parts.append(f"at {op.span}")
    return ", ".join(parts) or "at the top"


# One operation against its declaration


def _op_rules(op: Operation) -> Iterator[str]:
    if isinstance(op, Op):
        yield from _operands(op)
        yield from _results(op)
        yield from _attributes(op)
        d = op.definition
        if len(op.successors) != len(d.successors):
            yield f"{len(d.successors)} successors declared, {len(op.successors)} found"
        if len(op.regions) != len(d.regions):
            yield f"{len(d.regions)} regions declared, {len(op.regions)} found"
    if op.unwind is not None and not op.has_trait(Trait.RAISES):
        yield "an unwind edge on an operation that cannot raise"
    if op.successors and not op.has_trait(Trait.TERMINATOR):
        yield "successors on an operation that does not end its block"


def _operands(op: Op) -> Iterator[str]:
    fields = op.definition.operands
    if not op.definition.segmented:
        if len(op.operands) != len(fields):
            yield f"{len(fields)} operands declared, {len(op.operands)} found"
        return
    if len(op.segments) != len(fields) or sum(op.segments) != len(op.operands):
        yield f"operand groups {op.segments} do not fit {len(fields)} fields and {len(op.operands)} operands"
        return
    for field, count in zip(fields, op.segments, strict=True):
        if isinstance(field, OperandField) and count != 1:
            yield f"operand {field.label} is missing"
        elif not isinstance(field, OperandsField) and count > 1:
            yield f"operand {field.label} takes at most one value, not {count}"


def _results(op: Op) -> Iterator[str]:
    fields = op.definition.results
    if any(not isinstance(f, ResultField) for f in fields):
        return
    if len(fields) != len(op.results):
        yield f"{len(fields)} results declared, {len(op.results)} found"
        return
    for field, result in zip(fields, op.results, strict=True):
        if isinstance(field, ResultField) and field.fixed is not None and result.type != field.fixed:
            yield f"result {field.label} has type {result.type} instead of {field.fixed}"


def _attributes(op: Op) -> Iterator[str]:
    declared = {f.label: f for f in op.definition.attributes}
    for label, value in op.attributes.items():
        field = declared.get(label)
        if field is None:
            yield f"unknown attribute {label}"
        elif field.kind is not None and type(value) is not field.kind:
            yield f"attribute {label} is {type(value).__name__} instead of {field.kind.__name__}"
        else:
            try:
                format_literal(value)
            except TypeError as error:
                yield f"attribute {label}: {error}"
    for label, field in declared.items():
        if field.default is MISSING and label not in op.attributes:
            yield f"attribute {label} is missing"


# Regions


def _region(op: Operation, region: Region) -> Iterator[Problem]:
    if not region.blocks:
        yield Problem(op.name, place_of(op), "a region without blocks")
        return
    broken = False
    for number, block in enumerate(region.blocks):
        for problem in _block(op, region, block, number):
            broken = True
            yield problem
        for inner in block.ops:
            yield from find_problems(inner)
    yield from _symbols(region)
    if not broken:
        yield from _definitions(op, region)


def _block(op: Operation, region: Region, block: Block, number: int) -> Iterator[Problem]:
    place = f"{place_of(op)}, block {number}"
    if block.parent is not region:
        yield Problem(op.name, place, "the block does not know its region")
    ends = _needs_terminator(op)
    if ends and block.terminator is None:
        yield Problem(op.name, place, "the block has no terminator at its end")
    for arg_number, arg in enumerate(block.args):
        if arg.index != arg_number or arg.block is not block:
            yield Problem(op.name, place, f"argument {arg_number} does not know its place")
    for position, inner in enumerate(block.ops):
        if inner.parent is not block:
            yield Problem(inner.name, place, "the operation does not know its block")
        if inner.has_trait(Trait.TERMINATOR) and position != len(block.ops) - 1:
            yield Problem(inner.name, place_of(inner), "a terminator before the end of its block")
        for edge in inner.edges():
            for rule in _edge(inner, edge, region):
                yield Problem(inner.name, place_of(inner), rule)


def _needs_terminator(op: Operation) -> bool:
    """Blocks of symbol tables (modules) just list what they hold."""
    inside = (inner for region in op.regions for block in region.blocks for inner in block.ops)
    return not (op.has_trait(Trait.SYMBOL) and all(inner.has_trait(Trait.SYMBOL) for inner in inside))


def _edge(op: Operation, edge: Successor, region: Region) -> Iterator[str]:
    what = "unwind edge" if edge is op.unwind else "edge"
    if edge.op is not op:
        yield f"the {what} does not know its operation"
    if edge.block.parent is not region:
        yield f"the {what} leaves its region"
        return
    expected = [a.type for a in edge.block.args]
    passed = [v.type for v in edge.operands]
    if edge is op.unwind:
        passed.insert(0, OBJECT)
    if len(expected) != len(passed):
        yield f"the {what} passes {len(passed)} values to a block with {len(expected)} arguments"
    elif expected != passed:
        wrong = next(i for i, (a, b) in enumerate(zip(expected, passed, strict=True)) if a != b)
        yield f"the {what} passes {passed[wrong]} for argument {wrong} of type {expected[wrong]}"


def _symbols(region: Region) -> Iterator[Problem]:
    seen: set[str] = set()
    for block in region.blocks:
        for op in block.ops:
            if op.has_trait(Trait.SYMBOL):
                sym = str(op.attributes.get("sym"))
                if sym in seen:
                    yield Problem(op.name, place_of(op), f"symbol {sym} is defined twice")
                seen.add(sym)


# Definitions before uses


def _definitions(op: Operation, region: Region) -> Iterator[Problem]:
    dominance = Dominance(region)
    for block in region.blocks:
        if dominance.reachable(block):
            for inner in block.ops:
                for what, value in _used(inner):
                    if not _known(value, inner, region, dominance, op.has_trait(Trait.ISOLATED)):
                        hint = f" (%{value.hint})" if value.hint else ""
                        yield Problem(inner.name, place_of(inner), f"{what}{hint} is not defined on every way to it")


def _used(op: Operation) -> Iterator[tuple[str, Value]]:
    for number, value in enumerate(op.operands):
        yield f"operand {number}", value
    for edge in op.edges():
        for number, value in enumerate(edge.operands):
            yield f"{'unwind' if edge is op.unwind else 'edge'} value {number}", value


def _known(value: Value, op: Operation, region: Region, dominance: Dominance, isolated: bool) -> bool:
    if dominance.available(value, op):
        return True
    home = getattr(value, "block", None) or getattr(getattr(value, "op", None), "parent", None)
    inside = home is not None and home.parent is region
    return not isolated and not inside and home is not None
