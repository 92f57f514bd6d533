"""Methods of arrays, and the functions that do the same: reductions, conversions, changes of shape."""

from __future__ import annotations

from ppy_compiler.plugins.interface import CallModel, CallSite
from ppy_compiler.plugins.specs import SumSpec, TensorOperand
from ppy_compiler.plugins.types import Type, Value
from ppy_plugins.numpy.constructors import shape_of
from ppy_plugins.numpy.dtypes import BOOL, FLOAT64, INT64, UINT64, DType
from ppy_plugins.numpy.elementwise import ELEMENTS
from ppy_plugins.numpy.types import ArrayType, array, dtype_of, scalar

REDUCTIONS = ("sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "argmin", "argmax")
FUNCTIONS = frozenset((*REDUCTIONS, "ravel", "reshape", "copy", "amin", "amax"))
"""Functions of the module that take an array first."""


def call(name: str, site: CallSite) -> CallModel | None:
    """The model of a method; its receiver is the first argument."""
    if not site.arguments or not isinstance(site.arguments[0].external, ArrayType):
        return None
    source, rest = site.arguments[0].external, site.arguments[1:]
    match name.removeprefix("a") if name in ("amin", "amax") else name:
        case reduction if reduction in REDUCTIONS:
            return _reduction(reduction, source, rest, dict(site.keywords))
        case "copy":
            return CallModel(array(source.dtype, rank=source.rank, shape=source.shape))
        case "astype" if rest:
            return CallModel(array(dtype_of(rest[0]), rank=source.rank, shape=source.shape))
        case "ravel" | "flatten":
            return CallModel(array(source.dtype, rank=1))
        case "reshape":
            rank, _ = shape_of(rest[0]) if len(rest) == 1 else (len(rest), None)
            return CallModel(array(source.dtype, rank=rank))
        case "item" if source.dtype is not None and not rest:
            return CallModel({"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}[source.dtype.kind])
    return None


def _reduction(name: str, source: ArrayType, rest: tuple[Value, ...], keywords: dict[str, Value]) -> CallModel | None:
    dtype = _reduced_dtype(name, source.dtype)
    if dtype is None or keywords.keys() - {"axis"} or len(rest) > 1:
        return None
    axis = rest[0] if rest else keywords.get("axis")
    returns: Type = scalar(dtype)
    if not rest and not keywords:
        return CallModel(returns, lowering=_sum(name, source, dtype))
    if axis is not None and axis.type != "None":
        if axis.type != "int" or source.rank is None:
            return None
        returns = array(dtype, rank=source.rank - 1) if source.rank > 1 else scalar(dtype)
    return CallModel(returns)


def _sum(name: str, source: ArrayType, dtype: DType) -> SumSpec | None:
    """Sums and means of whole arrays: to be fused with what computes the array."""
    if name not in ("sum", "mean") or source.dtype is None:
        return None
    if source.dtype.name not in ELEMENTS or (name == "mean" and source.dtype.kind != "f"):
        return None
    operand = TensorOperand(ELEMENTS[source.dtype.name], source.dtype.number)
    return SumSpec(operand, TensorOperand(ELEMENTS[dtype.name], dtype.number), name == "mean")


def _reduced_dtype(name: str, dtype: DType | None) -> DType | None:
    """Small integers are summed as 64 bits, and means are floats."""
    if dtype is None:
        return None
    match name:
        case "any" | "all":
            return BOOL
        case "argmin" | "argmax":
            return INT64
        case "sum" | "prod" if dtype.kind in "bi":
            return INT64
        case "sum" | "prod" if dtype.kind == "u":
            return UINT64
        case "mean" | "std" | "var" if dtype.kind in "biu":
            return FLOAT64
        case "std" | "var":
            return dtype.real
    return dtype
