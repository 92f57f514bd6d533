"""The edges into the blocks of a region."""

from __future__ import annotations

from ppy_compiler.ir.core import Block, Region, Successor


def incoming(region: Region) -> dict[Block, list[Successor]]:
    """Every edge into each block, in the order of the blocks they leave; unreachable ones count too."""
    edges: dict[Block, list[Successor]] = {block: [] for block in region.blocks}
    for block in region.blocks:
        for edge in block.edges():
            edges[edge.block].append(edge)
    return edges


def is_unwind(edge: Successor) -> bool:
    """Whether an exception travels along ``edge``; the block's first argument is that exception then."""
    return edge.op is not None and edge.op.unwind is edge


def operand_for(edge: Successor, argument: int) -> int | None:
    """Which operand of ``edge`` becomes block argument number ``argument``; ``None`` for the exception."""
    position = argument - is_unwind(edge)
    return None if position < 0 else position


def drop_argument(block: Block, argument: int, edges: list[Successor]) -> None:
    """Remove an unused block argument and what ``edges``, all that lead to the block, pass for it."""
    for edge in edges:
        position = operand_for(edge, argument)
        assert position is not None
        edge.set_operands([v for i, v in enumerate(edge.operands) if i != position])
    block.remove_arg(argument)
