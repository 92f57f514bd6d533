"""Pattern rewriting: small local rules applied until none matches.

A pattern is a function ``(op, rewriter) -> bool`` registered for operation classes; it returns whether it changed
anything.
It changes IR only through the rewriter, which keeps the work list right: whatever may match anew is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ppy_compiler.ir.core import Operation, OpResult, Value
from ppy_compiler.ir.traits import Trait

Pattern = Callable[[Any, "Rewriter"], bool]
Patterns = Mapping[type[Operation], Sequence[Pattern]]
MAX_STEPS = 1_000_000
"""More rewriting than any program needs: two rules undo each other."""


class Rewriter:
    """Changes IR and remembers what to look at again."""

    def __init__(self, ops: Iterable[Operation]) -> None:
        self._work = dict.fromkeys(ops)
        self._gone: set[Operation] = set()

    def insert_before(self, op: Operation, *new: Operation) -> None:
        """Put operations in front of ``op``, with its span where they have none."""
        assert op.parent is not None
        position = op.parent.ops.index(op)
        for offset, fresh in enumerate(new):
            if fresh.span is None:
                fresh.span = op.span
            op.parent.insert(position + offset, fresh)
            self.touch(fresh)

    def replace(self, op: Operation, new: Operation | None, values: Sequence[Value]) -> None:
        """``new``, if any, takes the place of ``op``, and ``values`` the place of its results."""
        if new is not None:
            self.insert_before(op, new)
        for result, value in zip(op.results, values, strict=True):
            self.replace_uses(result, value)
        self.erase(op)

    def replace_uses(self, value: Value, other: Value) -> None:
        for use in list(value.uses):
            user = getattr(use.user, "op", use.user)
            if isinstance(user, Operation):
                self.touch(user)
        if not other.hint:
            other.hint = value.hint
        value.replace_all_uses(other)

    def erase(self, op: Operation) -> None:
        """Remove an unused operation; what made its operands may be unused now."""
        makers = [v.op for v in op.operands if isinstance(v, OpResult)]
        op.erase()
        self._gone.add(op)
        for maker in makers:
            self.touch(maker)

    def touch(self, op: Operation) -> None:
        """Look at ``op`` (again) later."""
        self._work[op] = None

    def next(self) -> Operation | None:
        while self._work:
            op = next(iter(self._work))
            del self._work[op]
            if op not in self._gone:
                return op
        return None


def apply_patterns(root: Operation, patterns: Patterns, remove_dead: bool = True) -> bool:
    """Apply ``patterns`` to all operations inside ``root`` until none matches; whether anything changed.

    ``remove_dead``: operations without effect whose results nobody uses are erased on the way.
    """
    rewriter = Rewriter(op for op in root.walk() if op is not root)
    changed = False
    for _ in range(MAX_STEPS):
        op = rewriter.next()
        if op is None:
            return changed
        if remove_dead and is_dead(op):
            rewriter.erase(op)
            changed = True
        elif any(pattern(op, rewriter) for pattern in patterns.get(type(op), ())):
            changed = True
    raise RuntimeError("rewriting does not come to an end: two patterns undo each other")


def is_dead(op: Operation) -> bool:
    """Whether ``op`` can be removed because nobody needs it."""
    removable = op.traits & (Trait.PURE | Trait.ALLOCATES | Trait.CONSTANT)
    return bool(removable) and not op.has_trait(Trait.TERMINATOR) and not any(r.uses for r in op.results)
