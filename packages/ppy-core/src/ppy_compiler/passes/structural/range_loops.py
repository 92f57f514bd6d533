"""``for x in range(...)``: the iteration's state becomes SSA values.

Takes ``py.iter`` of a call of the global ``range`` that only one ``py.next`` uses; gives ``py.range_begin`` and
``py.range_next``, with the current
value carried around the loop as a block argument. A guard in the loop then knows the state of the iteration, and a
register holds it.
The name may be bound to anything: ``py.range_begin`` looks at what is called.
"""

from __future__ import annotations

from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.iteration import Iter, Next
from ppy_compiler.dialects.py.loops import RangeBegin, RangeNext
from ppy_compiler.dialects.py.names import LoadGlobal
from ppy_compiler.ir import Block, OpResult, Successor, Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.support.graphs import Dominators, dominators


def fuse_range_loops(func: Func) -> None:
    """Rewrite every counted loop of ``func``."""
    found = [pair for block in func.body.blocks for op in block.ops if isinstance(op, Iter) and (pair := _counted(op))]
    if not found:
        return
    tree = dominators(func.body.entry, lambda block: [edge.block for edge in block.edges()])
    for call, iter_op, next_op in found:
        _rewrite(call, iter_op, next_op, tree)


def _counted(op: Iter) -> tuple[Call, Iter, Next] | None:
    made, uses = op.iterable, list(op.iterator.uses)
    if not isinstance(made, OpResult) or not isinstance(made.op, Call) or len(made.uses) != 1 or len(uses) != 1:
        return None
    call, user = made.op, uses[0].user
    if call.parent is not op.parent or not isinstance(user, Next) or call.kwnames or not 1 <= len(call.args) <= 3:
        return None
    callee = call.callee
    if not isinstance(callee, OpResult) or not isinstance(callee.op, LoadGlobal) or callee.op.var != "range":
        return None
    assert op.parent is not None
    between = op.parent.ops[op.parent.ops.index(call) + 1 : op.parent.ops.index(op)]
    return None if between else (call, op, user)


def _rewrite(call: Call, iter_op: Iter, next_op: Next, tree: Dominators[Block]) -> None:
    before, header = call.parent, next_op.parent
    assert before is not None
    assert header is not None
    unwind = _copy(call.unwind)
    begin = RangeBegin(call.callee, list(call.args), span=call.span, unwind=unwind)
    before.insert(before.ops.index(call), begin)
    current = header.add_arg(OBJECT, "current")
    step = RangeNext(begin.iterator, current, begin.stop, begin.step, span=next_op.span, unwind=_copy(next_op.unwind))
    header.insert(header.ops.index(next_op), step)
    next_op.item.replace_all_uses(step.item)
    next_op.more.replace_all_uses(step.more)
    _carry(header, begin.current, step.following, tree)
    next_op.erase()
    iter_op.erase()
    call.erase()


def _copy(edge: Successor | None) -> Successor | None:
    return None if edge is None else Successor(edge.block, list(edge.operands))


def _carry(header: Block, start: Value, following: Value, tree: Dominators[Block]) -> None:
    """Every edge into the header hands over the current value: the first one from outside, the next one from inside
    the loop."""
    region = header.parent
    assert region is not None
    for block in region.blocks:
        value = following if tree.dominates(header, block) else start
        for edge in block.edges():
            if edge.block is header:
                edge.set_operands([*edge.operands, value])
