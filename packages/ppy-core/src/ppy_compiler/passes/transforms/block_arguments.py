"""Block arguments that are unused, or that get the same value on every way in."""

from __future__ import annotations

from ppy_compiler.ir.core import Block, Operation, Region, Successor, Value
from ppy_compiler.ir.edges import drop_argument, incoming, operand_for


def simplify_arguments(func: Operation) -> bool:
    """Remove such arguments until none is left; whether there were any. An entry's arguments are the parameters and
    stay.
    """
    changed = [_region(region) for region in func.regions if region.blocks]
    return any(changed)


def _region(region: Region) -> bool:
    edges = incoming(region)
    changed = False
    while True:
        rounds = [_block(block, edges[block]) for block in region.blocks[1:] if edges[block]]
        if not any(rounds):
            return changed
        changed = True


def _block(block: Block, edges: list[Successor]) -> bool:
    changed = False
    for number in reversed(range(len(block.args))):
        if any(operand_for(edge, number) is None for edge in edges):
            continue
        arg = block.args[number]
        same = _only_value(arg, number, edges)
        if same is not None:
            same.hint = same.hint or arg.hint
            arg.replace_all_uses(same)
        if not _used_elsewhere(arg, number, edges):
            drop_argument(block, number, edges)
            changed = True
    return changed


def _only_value(arg: Value, number: int, edges: list[Successor]) -> Value | None:
    """The one value that all edges pass, besides the argument itself."""
    values = {edge.operands[position] for edge in edges if (position := operand_for(edge, number)) is not None}
    values.discard(arg)
    return values.pop() if len(values) == 1 else None


def _used_elsewhere(arg: Value, number: int, edges: list[Successor]) -> bool:
    """Whether anything but passing the argument back to itself uses it."""
    own = {(edge, operand_for(edge, number)) for edge in edges}
    return any((use.user, use.slot) not in own for use in arg.uses)
