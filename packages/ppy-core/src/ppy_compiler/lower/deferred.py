"""Which results of arithmetic on scalars of NumPy need no look of their own.

A sum, difference or product that is infinite or not a number makes every sum, difference or product that it goes into
so, too. So in ``0.25 * (a + b + c)`` one look at the end tells of all three: what is in between is left alone, and the
guard at the end resumes the twin before the first operation of the chain, which does the same work again and warns
where NumPy warns. In between nothing may happen but such arithmetic and loads, and nothing that is live before the
chain may be gone at its end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ppy_compiler.dialects.py import containers, names, operators
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.ir import Operation, Region, Value
from ppy_compiler.lower.liveness import Liveness
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.plugins.specs import ElementSpec, ScalarSpec

PROPAGATES = frozenset("+-*")
SILENT = (names.Annotated, names.Const, names.Drop)
SCALARS = tuple(kind for kind in Repr if kind.scalar)
PYTHON = (Repr.I64, Repr.F64)
"""Numbers of which a sum, a difference or a product raises nothing, and calls nobody."""


def defer(
    region: Region,
    plugged: Mapping[Operation, PluggedOperation],
    liveness: Liveness,
    reprs: Mapping[Value, Repr],
    anchors: dict[Operation, Operation],
) -> frozenset[Operation]:
    """The operations whose results are looked at later; adds to ``anchors`` where a guard in their chain goes on."""
    found = _Deferral(plugged, liveness, reprs, dict(anchors))
    deferred = frozenset(op for block in region.blocks for op in list(block.ops) if found.chained(op))
    anchors.update(found.anchors)
    return deferred


class _Deferral:
    def __init__(
        self,
        plugged: Mapping[Operation, PluggedOperation],
        liveness: Liveness,
        reprs: Mapping[Value, Repr],
        taken: dict[Operation, Operation],
    ) -> None:
        self.plugged = plugged
        self.live = liveness
        self.reprs = reprs
        self.taken = taken
        self.anchors: dict[Operation, Operation] = {}

    def chained(self, op: Operation) -> bool:
        """Whether a user of ``op`` will tell; then both are one chain. All that others do with the result comes later,
        or can be done twice."""
        if not self._propagates(op):
            return False
        assert op.parent is not None
        ops = op.parent.ops
        later = [
            use.user for use in op.results[0].uses if isinstance(use.user, Operation) and use.user.parent is op.parent
        ]
        user = min((other for other in later if self._propagates(other)), key=ops.index, default=None)
        if user is None:
            return False
        chain = ops[ops.index(op) : ops.index(user) + 1]
        if not all(self._silent(between, user) for between in chain):
            return False
        first = self.anchors.get(op, op)
        self.anchors.update(dict.fromkeys(chain, first))
        return True

    def _spec(self, op: Operation) -> object:
        known = self.plugged.get(op)
        return known.model.lowering if known is not None and known.lowered else None

    def _propagates(self, op: Operation) -> bool:
        spec = self._spec(op)
        if not isinstance(spec, ScalarSpec) or len(op.operands) != 2:
            return False
        return spec.element == "f64" and spec.kind in PROPAGATES

    def _silent(self, op: Operation, last: Operation) -> bool:
        """Whether ``op`` can be done twice, and leaves what it works on as it is until ``last``."""
        spec, after = self._spec(op), self.live.after(last)
        if op in self.taken or op.unwind is not None:
            return False
        for value in op.operands:
            lasts = after & self.live.bit(value) or self.reprs.get(value, Repr.OBJ).scalar or self._is_index(value)
            if not lasts:
                return False
        if isinstance(spec, ElementSpec):
            return not spec.stores
        if isinstance(spec, ScalarSpec) or isinstance(op, containers.BuildTuple):
            return True
        values = (*op.operands, *op.results)
        if isinstance(op, operators.Binary):
            return op.kind in PROPAGATES and all(self._in_register(value, PYTHON) for value in values)
        return isinstance(op, SILENT) and all(self._in_register(value, SCALARS) for value in values)

    def _in_register(self, value: Value, kinds: Collection[Repr]) -> bool:
        return self.reprs[value] in kinds or isinstance(getattr(value, "op", None), names.Const)

    def _is_index(self, value: Value) -> bool:
        """Whether it is the tuple of an index, or a constant."""
        maker = getattr(value, "op", None)
        if isinstance(maker, names.Const):
            return True
        users = [use.user for use in value.uses if isinstance(use.user, Operation)]
        return isinstance(maker, containers.BuildTuple) and all(isinstance(self._spec(u), ElementSpec) for u in users)
