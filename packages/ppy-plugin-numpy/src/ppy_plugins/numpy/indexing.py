"""Subscripts of arrays: the type of an element, a view, a selection."""

from __future__ import annotations

from ppy_compiler.plugins.interface import CallModel, OperationSite
from ppy_compiler.plugins.types import Value
from ppy_plugins.numpy.types import ArrayType, array, scalar


def subscript(site: OperationSite) -> CallModel | None:
    """Basic indexing with integers, slices, ``None`` and ``...``, where the rank is known."""
    target = site.operands[0].external
    if not isinstance(target, ArrayType) or site.kind != "[]":
        return None
    index = site.operands[1]
    parts = index.items if index.items is not None else (index,)
    rank = _rank_after(target.rank, parts)
    if rank is None or target.dtype is None:
        return None
    return CallModel(scalar(target.dtype) if rank == 0 else array(target.dtype, rank=rank))


def _rank_after(rank: int | None, parts: tuple[Value, ...]) -> int | None:
    """The rank of the result; 0 for an element; ``None``: not known."""
    if rank is None:
        return None
    used = added = 0
    for part in parts:
        match part.type:
            case "int":
                used += 1
            case "slice":
                used += 1
                added += 1
            case "None":
                added += 1
            case _:
                return None
    return added + rank - used if used <= rank else None
