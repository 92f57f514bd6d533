"""Making operations at a place that moves along."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from ppy_compiler.ir.core import Block, Operation
from ppy_compiler.support.spans import Span

OpT = TypeVar("OpT", bound=Operation)


class Builder:
    """Inserts operations into ``block``, at its end or before ``before``; ``span`` is given to those that have none."""

    def __init__(self, block: Block, before: Operation | None = None, span: Span | None = None) -> None:
        self.block = block
        self.before = before
        self.span = span

    @classmethod
    def at(cls, op: Operation) -> Builder:
        """Before ``op``, with its span."""
        assert op.parent is not None
        return cls(op.parent, op, op.span)

    @classmethod
    def after(cls, op: Operation) -> Builder:
        """Behind ``op``, with its span."""
        assert op.parent is not None
        ops = op.parent.ops
        position = ops.index(op) + 1
        return cls(op.parent, ops[position] if position < len(ops) else None, op.span)

    def add(self, op: OpT) -> OpT:
        if op.span is None:
            op.span = self.span
        if self.before is None:
            self.block.append(op)
        else:
            self.block.insert(self.block.ops.index(self.before), op)
        return op

    @contextmanager
    def elsewhere(self, block: Block, before: Operation | None = None) -> Iterator[None]:
        """Inside, operations go to another place."""
        saved = self.block, self.before
        self.block, self.before = block, before
        try:
            yield
        finally:
            self.block, self.before = saved
