"""``a if c else b`` on words: both sides computed, one predicate for the guards of both, then a choice.

A guard inside one side of a branch would keep the backend from turning the branch into a choice. Here the guards of
the sides become one condition
beside the branch's own (``c and left overflows or not c and right overflows``) that leaves before the branch, and
the branch is gone.
"""

from __future__ import annotations

from ppy_compiler.dialects import cf
from ppy_compiler.dialects.py import names, operators
from ppy_compiler.ir import Block, BlockArgument, Operation, Value
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.closure import literal
from ppy_compiler.lower.reprs import Repr

MOST_OPERATIONS = 6
SPECULATED = frozenset({"+", "-", "*", "&", "|", "^"})
BY_CONSTANT = frozenset({">>", "//", "%"})


def choose(body: Body, op: cf.CondBr) -> bool:
    """Emit ``op`` and what follows up to the join without a branch, if it has that form."""
    join = _join(body, op)
    if join is None:
        return False
    b = body.b
    condition = body.read(op.condition)
    sides = [_side(body, edge.block) for edge in (op.then, op.otherwise)]
    targets = [a for a in join.args if body.live.into(join) & body.live.bit(a)]
    ends = [_values(body, edge.block, targets) for edge in (op.then, op.otherwise)]
    body.op = op
    for ok, taken in zip(sides, (condition, b.not_(condition)), strict=True):
        if ok is not None:
            body.deopt_unless(b.not_(b.binary("and", taken, b.not_(ok))))
    for arg, (then, flag), (otherwise, other) in zip(targets, *ends, strict=True):
        b.set(body.slots[arg], b.select(condition, then, otherwise))
        if arg in body.flags:
            b.set(body.flags[arg], b.select(condition, flag, other))
    b.br(body.entrance(join))
    return True


def _join(body: Body, op: cf.CondBr) -> Block | None:
    then, otherwise = op.then.block, op.otherwise.block
    ends = [block.terminator for block in (then, otherwise)]
    if body.general or then is otherwise or op.then.operands or op.otherwise.operands:
        return None
    if not all(isinstance(end, cf.Br) for end in ends):
        return None
    targets = {edge.block for end in ends if end is not None for edge in end.successors}
    if len(targets) != 1 or not all(_speculates(body, block) for block in (then, otherwise)):
        return None
    join = targets.pop()
    if not {then, otherwise, join} <= body.blocks.keys():
        return None  # a side that this body has no code for
    if not _has_guard(then) and not _has_guard(otherwise):
        return None
    dying = body.live.before(op) & ~body.live.beyond(join)
    if any(body.owned(value) for value in body.live.members(dying)):
        return None
    wanted = [a for a in join.args if body.live.into(join) & body.live.bit(a)]
    for end in ends:
        assert isinstance(end, cf.Br)
        for arg, value in zip(join.args, end.target.operands, strict=True):
            if arg in wanted and (body.repr(arg) is Repr.OBJ or body.repr(value) is not body.repr(arg)):
                return None
    return join


def _has_guard(block: Block) -> bool:
    return any(isinstance(op, operators.Binary) and op.kind in ("+", "-", "*") for op in block.ops)


def _speculates(body: Body, block: Block) -> bool:
    if block.args or len(block.ops) > MOST_OPERATIONS or body.fn.predecessors(block) != 1:
        return False
    return all(_harmless(body, op) for op in block.ops[:-1])


def _harmless(body: Body, op: Operation) -> bool:
    if isinstance(op, (names.Const, names.Drop)):
        return True
    if not isinstance(op, (operators.Binary, names.Annotated)):
        return False
    values = (*op.operands, *op.results)
    if not all(body.repr(v) in (Repr.I64, Repr.F64) for v in values) or op in body.fn.chains.anchors:
        return False
    if isinstance(op, names.Annotated) or body.repr(op.value) is Repr.F64:
        return isinstance(op, names.Annotated) or (op.kind in ("+", "-", "*"))
    constant = literal(op.rhs)
    return op.kind in SPECULATED or (op.kind in BY_CONSTANT and constant is not None and 0 < constant < 64)


def _side(body: Body, block: Block) -> Value | None:
    """Compute one side; the answer is whether its guards hold, ``None`` when it has none."""
    from ppy_compiler.lower.ops import HANDLERS

    body.predicates = []
    for op in block.ops[:-1]:
        body.begin(op)
        HANDLERS[type(op)](body, op)
        body.end()
    found, body.predicates = body.predicates, None
    good: Value | None = None
    for ok in found:
        good = ok if good is None else body.b.binary("and", good, ok)
    body.skip(block)
    return good


def _values(body: Body, block: Block, targets: list[BlockArgument]) -> list[tuple[Value, Value]]:
    end = block.terminator
    assert isinstance(end, cf.Br)
    given = dict(zip(end.target.block.args, end.target.operands, strict=True))
    return [(body.read(given[arg]), body.flag_of(given[arg])) for arg in targets]
