"""Control flow without detours: unreachable blocks, blocks that only go on to another, blocks with one way in and
out.
"""

from __future__ import annotations

from ppy_compiler.dialects.cf import Br, CondBr
from ppy_compiler.ir.core import Block, Operation, Region, Successor, Value
from ppy_compiler.ir.edges import incoming, is_unwind
from ppy_compiler.ir.liveness import reachable


def simplify_cfg(func: Operation) -> bool:
    """Repeat all rules until nothing changes; whether anything did."""
    changed = [_region(region) for region in func.regions if region.blocks]
    return any(changed)


def _region(region: Region) -> bool:
    changed = _remove_unreachable(region)
    while _one_target(region) or _skip_forwarding(region) or _merge(region):
        changed = True
        _remove_unreachable(region)
    return changed


def _remove_unreachable(region: Region) -> bool:
    live = set(reachable(region))
    dead = [block for block in region.blocks if block not in live]
    for block in dead:
        for op in block.ops:
            op.drop_references()
    for block in dead:
        block.parent = None
    region.blocks[:] = [block for block in region.blocks if block in live]
    return bool(dead)


def _one_target(region: Region) -> bool:
    """A branch whose sides are the same edge."""
    for block in region.blocks:
        end = block.terminator
        if not isinstance(end, CondBr) or end.then.block is not end.otherwise.block:
            continue
        if list(end.then.operands) == list(end.otherwise.operands):
            _replace_end(end, Successor(end.then.block, end.then.operands))
            return True
    return False


def _replace_end(end: Operation, edge: Successor) -> None:
    block = end.parent
    assert block is not None
    fresh = Br(edge, span=end.span)
    end.erase()
    block.append(fresh)


def _skip_forwarding(region: Region) -> bool:
    """Blocks that hold nothing but a branch: who goes there can go on at once."""
    edges = incoming(region)
    for block in region.blocks[1:]:
        end = block.ops[0] if len(block.ops) == 1 else None
        if not isinstance(end, Br) or end.target.block is block or any(is_unwind(edge) for edge in edges[block]):
            continue
        if any(use.user is not end.target for arg in block.args for use in arg.uses) or not edges[block]:
            continue
        for edge in edges[block]:
            passed: dict[Value, Value] = dict(zip(block.args, edge.operands, strict=True))
            values = [passed.get(v, v) for v in end.target.operands]
            edge.block = end.target.block
            edge.set_operands(values)
        return True
    return False


def _merge(region: Region) -> bool:
    """A block that is only entered from the end of another becomes part of it."""
    edges = incoming(region)
    merged: set[Block] = set()
    for block in region.blocks[1:]:
        ways = edges[block]
        if len(ways) != 1 or not isinstance(ways[0].op, Br) or is_unwind(ways[0]):
            continue
        end = ways[0].op
        before = end.parent
        assert before is not None
        if before is block:
            continue
        for arg, value in zip(block.args, ways[0].operands, strict=True):
            value.hint = value.hint or arg.hint
            arg.replace_all_uses(value)
        end.erase()
        for op in block.ops:
            before.append(op)
        block.ops = []
        block.parent = None
        merged.add(block)
    region.blocks[:] = [block for block in region.blocks if block not in merged]
    return bool(merged)
