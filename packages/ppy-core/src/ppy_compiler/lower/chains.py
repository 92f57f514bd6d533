"""Integer values that need no guard of their own, because of what their users do with them.

* *Wrapped*: only the low 64 bits matter to its users (``& mask``, ``% 2**k``). It is computed modulo 2**64.
* *Wide*: the product in ``a * b % m``. It is never computed; the remainder is taken of the 128-bit product.

Neither can be boxed: the word is not the integer. So none of them may be live at a guard's exit. All operations of a
chain stand in one block; while
one is live only scalar operations without effects happen, and a guard among those resumes the twin before the
chain's first operation
(its *anchor*), which does the same work again.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.py.loops import Poll
from ppy_compiler.dialects.py.names import Annotated, Const, Drop, LoadGlobal
from ppy_compiler.dialects.py.operators import Binary, FromBool, Unary
from ppy_compiler.infer import ranges
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Block, Operation, OpResult, Region, Value
from ppy_compiler.lower.reprs import Repr

SILENT = (Annotated, Const, Drop, LoadGlobal, Binary, FromBool, Unary)
WRAPPING = frozenset({"+", "-", "*", "&", "|", "^", "<<"})


class Chains:
    """``wrapped`` and ``wide`` values, and ``anchors``: where a guard in the middle of a chain goes on."""

    def __init__(
        self, region: Region, facts: Mapping[Value, Fact], demanded: Mapping[Value, int], reprs: Mapping[Value, Repr]
    ) -> None:
        self.facts = facts
        self.reprs = reprs
        self.wrapped = {v for v, bits in demanded.items() if bits <= 64 and _wraps(v) and reprs[v].is_word}
        self.wide = {
            op.value for block in region.blocks for op in block.ops if isinstance(op, Binary) and self._is_wide(op)
        }
        self.anchors: dict[Operation, Operation] = {}
        positions = {op: i for block in region.blocks for i, op in enumerate(block.ops)}
        changed = True
        while changed:
            changed = False
            for value in [*self.wrapped, *self.wide]:
                if not self._usable(value, positions):
                    self.wrapped.discard(value)
                    self.wide.discard(value)
                    changed = True
        for value in sorted(self.wrapped | self.wide, key=lambda v: positions[_maker(v)]):
            self._anchor(value, positions)

    def _is_wide(self, op: Binary) -> bool:
        """A product that some word divides, whose operands are words and which may not fit one itself."""
        if op.kind != "*" or self.facts.get(op.value) is None or op.value in self.wrapped:
            return False
        if not self.reprs[op.value].is_word or ranges.fits_word(self.facts[op.value].wide_range):
            return False
        if not all(self.reprs[v] is Repr.I64 for v in op.operands):
            return False
        users = [use.user for use in op.value.uses if not isinstance(use.user, Drop)]
        return (
            len(users) == 1
            and isinstance(users[0], Binary)
            and users[0].kind == "%"
            and users[0].lhs is op.value
            and (users[0].rhs is not op.value and self.reprs[users[0].rhs] is Repr.I64)
        )

    def _usable(self, value: Value, positions: Mapping[Operation, int]) -> bool:
        maker = _maker(value)
        block = maker.parent
        assert block is not None
        if not all(self._is_word(v) for v in maker.operands) or self._warns(maker):
            return False
        last = positions[maker]
        for use in value.uses:
            user = use.user
            if not isinstance(user, Operation) or user.parent is not block or not self._may_use(value, user):
                return False
            last = max(last, positions[user])
        return all(self._silent(op) for op in block.ops[positions[maker] + 1 : last + 1])

    def _warns(self, op: Operation) -> bool:
        """From 3.12 on ``~`` of a bool is deprecated."""
        return isinstance(op, Unary) and op.kind == "~" and self.reprs[op.argument] is Repr.BOOL

    def _is_word(self, value: Value) -> bool:
        literal = isinstance(value, OpResult) and isinstance(value.op, Const) and type(value.op.literal) is int
        return literal or self.reprs[value] in (Repr.I64, Repr.U64, Repr.BOOL)

    def _may_use(self, value: Value, user: Operation) -> bool:
        if isinstance(user, Drop):
            return True
        if value in self.wide:
            return isinstance(user, Binary)
        if not isinstance(user, (Binary, Unary)):
            return False
        if user.results[0] in self.wrapped:
            return True
        return isinstance(user, Binary) and user.kind in ("&", "%") and self.reprs[user.value] in (Repr.I64, Repr.U64)

    def _silent(self, op: Operation) -> bool:
        if isinstance(op, Poll) or not isinstance(op, SILENT):
            return False
        if isinstance(op, LoadGlobal):
            fact = self.facts.get(op.value)
            return fact is not None and fact.literal is not None and self.reprs[op.value].scalar
        values = (*op.operands, *op.results)
        return all(self.reprs[v].scalar or self._is_word(v) or v in self.wrapped for v in values)

    def _anchor(self, value: Value, positions: Mapping[Operation, int]) -> None:
        maker = _maker(value)
        block: Block | None = maker.parent
        assert block is not None
        first = self.anchors.get(maker, maker)
        users = [use.user for use in value.uses if isinstance(use.user, Operation)]
        last = max((positions[user] for user in users), default=positions[maker])
        for op in block.ops[positions[maker] : last + 1]:
            self.anchors.setdefault(op, first)


def _wraps(value: Value) -> bool:
    if not isinstance(value, OpResult):
        return False
    op = value.op
    if isinstance(op, Binary):
        return op.kind in WRAPPING and (op.kind != "<<" or _small_shift(op.rhs))
    return isinstance(op, Unary) and op.kind in ("-", "~")


def _small_shift(value: Value) -> bool:
    literal = value.op.literal if isinstance(value, OpResult) and isinstance(value.op, Const) else None
    return type(literal) is int and 0 <= literal < 64


def _maker(value: Value) -> Operation:
    assert isinstance(value, OpResult)
    return value.op
