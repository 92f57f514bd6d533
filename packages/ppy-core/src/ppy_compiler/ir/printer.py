"""The text form of IR: canonical, and read back by ``parser`` to the same bytes.

::

    py.func {sym='f', qualname='f', params=('n',), positional=1} {
    ^0(%n: object):
      %1 = py.const {literal=1}
      %2 = py.binary(%n, %1) {kind='+'} unwind ^2(%n) @ 2:11-2:16
      cf.br [^1(%2)]
    ...
    }

In this order: results, name, operand fields (a group in brackets, an absent optional one as ``_``), attributes
(those that differ from their default), result types where the declaration does not fix them, successors, regions, the
unwind edge, the span. A value or block is called by its hint, made unique by ``.2``, ``.3`` …, or by a number.
Anything may be printed, also what the verifier refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ppy_compiler.ir.core import Block, Operation, Region, Successor, Value
from ppy_compiler.ir.define import Op, OperandsField, OptionalOperandField, ResultField
from ppy_compiler.ir.literals import format_literal, same_literal
from ppy_compiler.ir.traits import Trait
from ppy_compiler.ir.types import Type

FORMAT_VERSION = 1
Note = Callable[[Sequence[Value]], str]
"""The comment on the values that one line defines, or an empty string."""


def print_op(op: Operation, note: Note | None = None) -> str:
    """``op`` and all inside it, without a version line; operands defined outside are named too. ``note`` says of
    defined values what a comment at the end of their line should."""
    printer = _Printer(note)
    printer.op(op, "")
    return "\n".join(printer.lines)


def print_module(op: Operation, versions: Mapping[str, int]) -> str:
    """A whole file: the version line (format, then each dialect used), the operation, a final newline."""
    used = sorted({inner.name.partition(".")[0] for inner in op.walk()})
    header = ", ".join(f"{dialect} {versions.get(dialect, 1)}" for dialect in used)
    return f"ppyir {FORMAT_VERSION}: {header}\n{print_op(op)}\n"


class _Names:
    """Hands out unique names in the order of asking."""

    def __init__(self) -> None:
        self.names: dict[object, str] = {}
        self.counts: dict[str, int] = {}
        self.number = 0

    def get(self, thing: Value | Block) -> str:
        name = self.names.get(thing)
        if name is None:
            name = self.names[thing] = self._fresh(thing.hint)
        return name

    def _fresh(self, hint: str) -> str:
        if not hint.isidentifier():
            self.number += 1
            return str(self.number - 1)
        count = self.counts[hint] = self.counts.get(hint, 0) + 1
        return hint if count == 1 else f"{hint}.{count}"


class _Printer:
    def __init__(self, note: Note | None = None) -> None:
        self.note = note
        self.lines: list[str] = []
        self.values = _Names()
        self.blocks = _Names()

    def op(self, op: Operation, indent: str) -> None:
        names = self.values.get
        head = ", ".join("%" + names(r) for r in op.results)
        parts = [f"{head} = {op.name}" if head else op.name]
        parts[0] += self.operands(op)
        attributes = self.attributes(op)
        if attributes:
            parts.append(attributes)
        if op.results and [r.type for r in op.results] != declared_results(op):
            parts.append(": " + ", ".join(str(r.type) for r in op.results))
        if op.successors:
            parts.append("[" + ", ".join(map(self.edge, op.successors)) + "]")
        if op.regions:
            parts.append("{")
        self.lines.append(indent + " ".join(parts))
        for position, region in enumerate(op.regions):
            if position:
                self.lines.append(indent + "} {")
            self.region(op, region, indent)
        tail = [self.lines.pop() if not op.regions else indent + "}"]
        if op.unwind is not None:
            tail.append("unwind " + self.edge(op.unwind))
        if op.span is not None:
            tail.append(f"@ {op.span}")
        self.lines.append(" ".join(tail) + self.comment(op.results))

    def comment(self, values: Sequence[Value]) -> str:
        text = self.note(values) if self.note is not None and values else ""
        return f"  ; {text}" if text else ""

    def operands(self, op: Operation) -> str:
        fields = op.definition.operands if isinstance(op, Op) else ()
        if not fields:
            return f"({self.value_list(op.operands)})" if op.operands else ""
        texts = []
        start = 0
        for position, field in enumerate(fields):
            count = op.segments[position] if op.segments else 1
            group = op.operands[start : start + count]
            start += count
            if isinstance(field, OperandsField):
                texts.append(f"[{self.value_list(group)}]")
            elif isinstance(field, OptionalOperandField) and not group:
                texts.append("_")
            else:
                texts.append(self.value_list(group))
        return f"({', '.join(texts)})"

    def value_list(self, values: Any) -> str:
        return ", ".join("%" + self.values.get(v) for v in values)

    def attributes(self, op: Operation) -> str:
        declared = op.definition.attributes if isinstance(op, Op) else ()
        order = [f.label for f in declared] + sorted(op.attributes.keys() - {f.label for f in declared})
        defaults = {f.label: f.default for f in declared}
        shown = [
            f"{label}={format_literal(op.attributes[label])}"
            for label in order
            if label in op.attributes
            and not (label in defaults and same_literal(op.attributes[label], defaults[label]))
        ]
        return f"{{{', '.join(shown)}}}" if shown else ""

    def edge(self, successor: Successor) -> str:
        target = "^" + self.blocks.get(successor.block)
        return f"{target}({self.value_list(successor.operands)})" if successor.operands else target

    def region(self, op: Operation, region: Region, indent: str) -> None:
        values, blocks = self.values, self.blocks
        if op.has_trait(Trait.ISOLATED):
            self.values = _Names()
        self.blocks = _Names()
        for block in region.blocks:
            self.blocks.get(block)
        for block in region.blocks:
            args = ", ".join(f"%{self.values.get(a)}: {a.type}" for a in block.args)
            head = self.blocks.get(block) + (f"({args})" if args else "")
            self.lines.append(f"{indent}^{head}:{self.comment(block.args)}")
            for inner in block.ops:
                self.op(inner, indent + "  ")
        self.values, self.blocks = values, blocks


def declared_results(op: Operation) -> list[Type] | None:
    """The result types that the declaration fixes; ``None`` when it leaves one open."""
    if not isinstance(op, Op):
        return None
    types = [f.fixed if isinstance(f, ResultField) else None for f in op.definition.results]
    return None if None in types else [t for t in types if t is not None]
