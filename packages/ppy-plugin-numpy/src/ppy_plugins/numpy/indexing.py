"""Subscripts of arrays: the type of an element, a view, a selection."""

from __future__ import annotations

from ppy_compiler.plugins.interface import CallModel, Effects, OperationSite
from ppy_compiler.plugins.specs import ElementSpec
from ppy_compiler.plugins.types import Value
from ppy_plugins.numpy.elementwise import ELEMENTS
from ppy_plugins.numpy.types import ArrayType, array, scalar


def subscript(site: OperationSite) -> CallModel | None:
    """Basic indexing with integers, slices, ``None`` and ``...``, where the rank is known. Where it is not, as many
    integers as there are stand for an element: what the index is for, most of the time."""
    target = site.operands[0].external
    if not isinstance(target, ArrayType):
        return None
    index = site.operands[1]
    parts = index.items if index.items is not None else (index,)
    integers = all(_is_integer(part) for part in parts)
    rank = _rank_after(len(parts) if target.rank is None and integers else target.rank, parts)
    if rank is None or target.dtype is None:
        return None
    dtype = target.dtype
    stores = site.kind == "[]="
    spec = None
    if rank == 0 and dtype.name in ELEMENTS and integers:
        spec = ElementSpec(ELEMENTS[dtype.name], dtype.number, len(parts), stores)
    if stores:
        return None if spec is None else CallModel("None", STORES, spec)
    return CallModel(scalar(dtype) if rank == 0 else array(dtype, rank=rank), LOADS, spec)


LOADS = Effects(runs_code=False, writes=False)
STORES = Effects(runs_code=False, writes=True)


def _is_integer(part: Value) -> bool:
    return part.type == "int" or (part.external is not None and part.external.number == "i64")


def _rank_after(rank: int | None, parts: tuple[Value, ...]) -> int | None:
    """The rank of the result; 0 for an element; ``None``: not known."""
    if rank is None:
        return None
    used = added = 0
    for part in parts:
        match part.type:
            case _ if _is_integer(part):
                used += 1
            case "slice":
                used += 1
                added += 1
            case "None":
                added += 1
            case _:
                return None
    return added + rank - used if used <= rank else None
