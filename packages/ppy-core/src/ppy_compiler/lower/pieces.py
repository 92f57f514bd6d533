"""Functions whose native code is in the object store: found by what lowering would read, not lowered again.

A piece is what the lowering of one Python function left beside its native functions (the constants and helpers it
uses) with the store's keys of the objects that a backend made of them. Its key covers all that lowering reads of the
function: its operations, the bytecode offsets of their spans (never the lines themselves, so moving a function
changes
nothing), every fact, the numbers that the unit gave to cells and code objects, and of each function it calls directly
the interface. The unit's descriptor is made anew each time.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ppy_compiler.backends.interface import ObjectStore, Piece
from ppy_compiler.dialects.py.functions import MakeFunction
from ppy_compiler.infer.facts import Fact, Literal
from ppy_compiler.ir import Operation, Successor, Value
from ppy_compiler.ir.literals import format_literal
from ppy_compiler.lower.inlining import expanded
from ppy_compiler.support.fingerprints import fingerprint

if TYPE_CHECKING:
    from ppy_compiler.infer.results import CallTarget
    from ppy_compiler.lower.function import FunctionLowering

PLACE_ATTRIBUTES = frozenset(("code", "directive_places"))
"""Where things stand: the function's code object in the module, known to the descriptor only, and text."""


class PieceStore:
    """Pieces in an object store; ``common`` is what the keys of all functions of a unit stand on."""

    def __init__(self, objects: ObjectStore, common: str) -> None:
        self.objects = objects
        self.common = common

    def key(self, fn: FunctionLowering) -> str:
        return fingerprint(self.common, "piece", "\n".join(_Reader(fn).lines()))

    def load(self, source: str, key: str) -> Piece | None:
        """The piece under ``key``, or ``None``."""
        data = self.objects.get(key)
        if data is None:
            return None
        constants, deep, objects = marshal.loads(data)
        return Piece(source, key, constants, deep, objects)

    def save_all(self, pieces: Iterable[Piece], objects: Mapping[str, tuple[str, ...]]) -> None:
        """File pieces with the objects that were made of their functions; those without any are forgotten."""
        for piece in pieces:
            if made := objects.get(piece.source):
                self.objects.put(piece.key, marshal.dumps((piece.constants, piece.deep, made)))


@lru_cache(maxsize=4096)
def fact_text(fact: Fact) -> str:
    """All of a fact, the same in every process."""
    return ";".join(map(_text, fact))


def _text(part: Any) -> str:
    if isinstance(part, Fact):
        return f"[{fact_text(part)}]"
    if isinstance(part, Literal):
        return f"{type(part.value).__name__} {format_literal(part.value)}"
    if isinstance(part, tuple):
        return f"({','.join(map(_text, part))})"
    if isinstance(part, frozenset):
        return f"{{{','.join(sorted(map(_text, part)))}}}"
    return repr(part)


class _Reader:
    """Writes down what lowering reads of a function."""

    def __init__(self, fn: FunctionLowering, *, is_copy: bool = False) -> None:
        self.fn = fn
        self.is_copy = is_copy
        self.blocks = {block: number for number, block in enumerate(fn.source.body.blocks)}
        self.values: dict[Value, int] = {}
        for block in self.blocks:
            for value in (*block.args, *(result for op in block.ops for result in op.results)):
                self.values[value] = len(self.values)

    def lines(self) -> list[str]:
        """All that is read of the function, and of those whose bodies it has copies of."""
        copied = worker_callees(self.fn) if self.fn.directives.parallel else ()
        return [*self._own(), *(line for callee in copied for line in _Reader(callee)._own())]

    def _own(self) -> list[str]:
        fn, facts = self.fn, self.fn.facts
        attributes = {name: value for name, value in fn.source.attributes.items() if name not in PLACE_ATTRIBUTES}
        found = [
            repr(sorted(attributes.items())),
            *(self._interface(version) for version in fn.family if version is not fn),
            repr((fn.symbol, fn.closed, fn.expansion.copied, fn.depends, facts.effects.bits, fn.unit.stress)),
            repr(sorted(facts.constants.items())),
            fact_text(facts.returns),
            *map(fact_text, facts.params),
        ]
        for value, number in self.values.items():
            fact = facts.values.get(value)
            text = "" if fact is None else fact_text(fact)
            found.append(f"%{number} {value.type} {facts.demanded.get(value)} {text}")
        for block, number in self.blocks.items():
            found.append(f"^{number} {block in facts.reachable} {len(block.args)}")
            for value, fact in facts.narrowed.get(block, {}).items():
                found.append(f"narrowed %{self.values.get(value)} {fact_text(fact)}")
            for name, fact in sorted(facts.globals_in.get(block, {}).items()):
                found.append(f"global {name} {fact_text(fact)}")
            found.extend(self._op(op) for op in block.ops)
        return found

    def _op(self, op: Operation) -> str:
        fn, facts = self.fn, self.fn.facts
        target = facts.calls.get(op)
        parts = [
            op.name, str([self.values[value] for value in op.operands]), repr(op.segments), self._attributes(op),
            *map(self._edge, op.successors), "" if op.unwind is None else f"unwind {self._edge(op.unwind)}",
            str(fn.offsets.of(op.span)), str(facts.op_effects.get(op)), facts.op_notes.get(op, ""),
            "" if target is None else _target_text(target),
            self._numbers(op), self._interface(fn.direct.get(op)),  # type: ignore[call-overload]
            repr(facts.plugged[op]) if op in facts.plugged else "",
        ]  # fmt: skip
        return " ".join(parts)

    def _attributes(self, op: Operation) -> str:
        return ",".join(f"{name}={format_literal(value)}" for name, value in sorted(op.attributes.items()))

    def _edge(self, edge: Successor) -> str:
        return f"^{self.blocks[edge.block]}{[self.values[value] for value in edge.operands]}"

    def _numbers(self, op: Operation) -> str:
        """What the unit numbered: the cell of a global, the code object of an inner function."""
        unit = self.fn.unit
        if isinstance(op, MakeFunction):
            return f"code {unit.code_number(unit.sources[op.func])}"
        var = op.attributes.get("var")
        return f"cell {unit.cells[var]}" if op.name.endswith("_global") and var in unit.cells else ""

    def _interface(self, target: FunctionLowering | None) -> str:
        """What a direct call, or the entry of another version, uses of its target."""
        if target is None:
            return ""
        reprs = [target.plan.reprs[value].name for value in target.params]
        cells = [(name, sym, self.fn.unit.cells.get(name)) for name, sym in target.depends]
        shape = (target.closed, target.has_fast, target.closes, reprs, target.returns.name)
        constants = sorted(target.facts.constants.items())
        own = (target.symbol, target.record, cells, shape, constants, target.facts.effects.bits, self._copy(target))
        return f"{own} {fact_text(target.facts.returns)} {' '.join(map(fact_text, target.facts.params))}"

    def _copy(self, target: FunctionLowering) -> str:
        """All of what is expanded in place of the call, and of what is expanded in that."""
        if target is self.fn or not expanded(target, in_copy=self.is_copy):
            return ""
        return fingerprint("\n".join(_Reader(target, is_copy=True).lines()))


def worker_callees(fn: FunctionLowering) -> list[FunctionLowering]:
    """The functions that ``fn`` may call directly, whatever the way."""
    found: dict[FunctionLowering, None] = {}
    work = [fn]
    while work:
        for target in work.pop().direct.values():
            if target not in found:
                found[target] = None
                work.append(target)
    return list(found)


def _target_text(target: CallTarget) -> str:
    return repr((target.kind, target.name, sorted(target.depends), target.arguments, target.overload, target.through))
