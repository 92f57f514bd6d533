"""Functions that make arrays: the type of what they give."""

from __future__ import annotations

from collections.abc import Callable

from ppy_compiler.plugins.interface import CallModel, CallSite
from ppy_compiler.plugins.types import Value
from ppy_plugins.numpy.dtypes import BOOL, FLOAT64, INT64, DType, Weak, result_type
from ppy_plugins.numpy.types import ArrayType, Shape, array, dtype_of, operand_of


def call(name: str, site: CallSite) -> CallModel | None:
    """The model of a constructor; ``None``: it is none, or its arguments say too little."""
    maker = FUNCTIONS.get(name)
    made = maker(site) if maker is not None else None
    return None if made is None else CallModel(made)


def _argument(site: CallSite, position: int, name: str) -> Value | None:
    found = dict(site.keywords).get(name)
    return found if found is not None or position >= len(site.arguments) else site.arguments[position]


def _dtype(site: CallSite, position: int, default: DType | None) -> DType | None:
    given = _argument(site, position, "dtype")
    return default if given is None or given.type == "None" else dtype_of(given)


def shape_of(value: Value | None) -> tuple[int | None, Shape | None]:
    """Rank and shape that an argument ``shape`` says."""
    if value is None:
        return None, None
    if value.items is not None:
        return len(value.items), tuple(_extent(item) for item in value.items)
    if value.type == "int":
        return 1, (_extent(value),)
    return None, None


def _extent(value: Value) -> int | None:
    return value.constant if type(value.constant) is int and value.constant >= 0 else None


def _filled(site: CallSite) -> ArrayType | None:
    """``zeros``, ``ones``, ``empty``."""
    rank, shape = shape_of(_argument(site, 0, "shape"))
    return array(_dtype(site, 1, FLOAT64), rank=rank, shape=shape)


def _full(site: CallSite) -> ArrayType | None:
    rank, shape = shape_of(_argument(site, 0, "shape"))
    value = _argument(site, 1, "fill_value")
    operand = operand_of(value) if value is not None else None
    default = operand.default if isinstance(operand, Weak) else operand
    return array(_dtype(site, 2, default), rank=rank, shape=shape)


def _like(site: CallSite) -> ArrayType | None:
    """``zeros_like`` and its like: the shape and, unless another is given, the type of the first argument."""
    source = _argument(site, 0, "a") or _argument(site, 0, "prototype")
    if source is None or not isinstance(source.external, ArrayType):
        return None
    given = dict(site.keywords).get("dtype")
    found = source.external
    return array(found.dtype if given is None else dtype_of(given), rank=found.rank, shape=found.shape)


def _arange(site: CallSite) -> ArrayType | None:
    numbers = [operand_of(value) for value in site.arguments[:3]]
    known = [number for number in numbers if number is not None]
    default = result_type(known) if known and len(known) == len(numbers) else None
    return array(_dtype(site, 3, INT64 if default is BOOL else default), rank=1)


def _linspace(site: CallSite) -> ArrayType | None:
    ends = [operand_of(value) for value in site.arguments[:2]]
    plain = len(ends) == 2 and all(end in (Weak.INT, Weak.FLOAT) for end in ends)
    return array(_dtype(site, 5, FLOAT64 if plain else None), rank=1 if plain else None)


def _eye(site: CallSite) -> ArrayType | None:
    return array(_dtype(site, 3, FLOAT64), rank=2)


def _converted(site: CallSite) -> ArrayType | None:
    """``array``, ``asarray`` and their like, of an array or with a given type."""
    source = _argument(site, 0, "a")
    dtype = _dtype(site, 1, None)
    if source is not None and isinstance(source.external, ArrayType):
        return array(dtype or source.external.dtype, rank=source.external.rank, shape=source.external.shape)
    return array(dtype) if dtype is not None else None


FUNCTIONS: dict[str, Callable[[CallSite], ArrayType | None]] = {
    **dict.fromkeys(("zeros", "ones", "empty"), _filled),
    "full": _full,
    **dict.fromkeys(("zeros_like", "ones_like", "empty_like", "full_like"), _like),
    "arange": _arange,
    "linspace": _linspace,
    "eye": _eye,
    **dict.fromkeys(("array", "asarray", "ascontiguousarray"), _converted),
}
