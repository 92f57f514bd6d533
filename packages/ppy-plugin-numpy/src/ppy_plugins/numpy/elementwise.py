"""Operators, universal functions and their like: the type of the result, and the operation of the tensor dialect."""

from __future__ import annotations

from ppy_compiler.dialects.tensor import FLOATS, exact
from ppy_compiler.plugins.interface import ANY_EFFECT, CallModel, Effects
from ppy_compiler.plugins.specs import ElementwiseSpec, ScalarSpec, TensorOperand
from ppy_compiler.plugins.types import Type, Value
from ppy_plugins.numpy.dtypes import BOOL, DType, Operand, Weak, result_type
from ppy_plugins.numpy.types import NUMBERS, ArrayType, array, broadcast, operand_of, scalar
from ppy_plugins.numpy.ufuncs import BY_NAME, OPERATORS, UNARY_OPERATORS, Loop, UFunc, resolve

ELEMENTS = {
    "bool": "i1",
    **{f"{kind}int{bits}": f"{'u' if kind else 'i'}{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)},
    "float32": "f32",
    "float64": "f64",
}
"""The elements that kernels hold; half precision and complex numbers are NumPy's."""


def operator(
    kind: str, operands: tuple[Value, ...], version: tuple[int, int], inplace: bool = False
) -> CallModel | None:
    """``kind`` as in the source; one operand makes it unary."""
    names = UNARY_OPERATORS if len(operands) == 1 else OPERATORS
    if kind == "**":
        found = _power(operands, version, inplace)
    else:
        found = call(BY_NAME[names[kind]], operands, version, inplace) if kind in names else None
    return found if found is None else _of_scalars(kind, operands, found, version)


def _of_scalars(kind: str, operands: tuple[Value, ...], found: CallModel, version: tuple[int, int]) -> CallModel:
    """An operator on scalars and Python's numbers, where native code computes it; in place means nothing to them."""
    given = [operand_of(value) for value in operands]
    if any(isinstance(value.external, ArrayType) for value in operands):
        return found
    known = [operand for operand in given if operand is not None]
    ufunc = BY_NAME[(UNARY_OPERATORS if len(operands) == 1 else OPERATORS)[kind]]
    loop = resolve(ufunc, known, version)
    element = "" if loop is None else NUMBERS.get(loop.operands[0].name, "")
    if loop is None or element not in ("f64", "i64"):
        return found
    return CallModel(scalar(loop.result), Effects(runs_code=False, writes=False), ScalarSpec(kind, element))


def _power(operands: tuple[Value, ...], version: tuple[int, int], inplace: bool) -> CallModel | None:
    """An array to the power of a number takes shortcuts, depending on the number: squares, and roots of floats. All
    other numbers are NumPy's business."""
    base, exponent = operands
    known = call(BY_NAME["power"], operands, version, inplace)
    if known is None or exponent.external is not None:
        return known
    kind = base.external.dtype.kind if isinstance(base.external, ArrayType) and base.external.dtype is not None else ""
    if exponent.constant == 2 and (kind == "f" or (kind and kind in "biu" and type(exponent.constant) is int)):
        return call(BY_NAME["square"], (base,), version, inplace)
    if exponent.constant == 0.5 and kind == "f":
        return call(BY_NAME["sqrt"], (base,), version, inplace)
    return CallModel(known.returns) if isinstance(base.external, ArrayType) else known


def call(
    ufunc: UFunc, operands: tuple[Value, ...], version: tuple[int, int], inplace: bool = False
) -> CallModel | None:
    """A universal function of these operands."""
    given = [operand_of(value) for value in operands]
    known = [operand for operand in given if operand is not None]
    if len(known) != ufunc.inputs or len(given) != ufunc.inputs or all(isinstance(o, Weak) for o in known):
        return None
    loop = resolve(ufunc, known, version)
    if loop is None:
        return None
    if inplace:
        return CallModel(operands[0].external or "object")
    returns = _returned(loop.result, operands)
    return CallModel(returns, ANY_EFFECT, _spec(ufunc, loop, known, operands))


def _returned(dtype: DType, operands: tuple[Value, ...]) -> Type:
    rank, shape = broadcast(operands)
    return scalar(dtype) if rank == 0 else array(dtype, rank=rank, shape=shape)


def _spec(ufunc: UFunc, loop: Loop, known: list[Operand], operands: tuple[Value, ...]) -> ElementwiseSpec | None:
    """The operation of the tensor dialect; ``None``: a type is not one that kernels hold, or an operand is no array."""
    if any(dtype.name not in ELEMENTS for dtype in (*loop.operands, loop.result)):
        return None
    computed = tuple(ELEMENTS[dtype.name] for dtype in loop.operands)
    kind, function = ufunc.native or "", ""
    if not kind or not exact(kind, computed[-1]):
        kind, function = "library", ufunc.name
        if any(element not in FLOATS for element in computed):
            return None  # NumPy's loops on integers may raise
    given = [_operand(value, operand) for value, operand in zip(operands, known, strict=True)]
    if any(operand is None for operand in given):
        return None
    return ElementwiseSpec(
        kind,
        tuple(operand for operand in given if operand is not None),
        computed,
        TensorOperand(ELEMENTS[loop.result.name], loop.result.number),
        function,
    )


def _operand(value: Value, operand: Operand) -> TensorOperand | None:
    if isinstance(operand, Weak):
        return TensorOperand(operand.value) if operand is not Weak.COMPLEX else None
    if not isinstance(value.external, ArrayType) or operand.name not in ELEMENTS:
        return None
    return TensorOperand(ELEMENTS[operand.name], operand.number)


WHERE = UFunc("where", 3, "", "select")
"""Not a universal function, but computed like one."""


def where(operands: tuple[Value, ...]) -> CallModel | None:
    """`numpy.where` with three arguments."""
    condition, *choices = operands
    given, known = operand_of(condition), [operand_of(value) for value in choices]
    operands_known = [operand for operand in known if operand is not None]
    if given is None or len(operands_known) != 2:
        return None
    chosen = result_type(operands_known)
    rank, shape = broadcast(operands)
    returns = array(chosen, rank=rank, shape=shape)
    if given is not BOOL or chosen.name not in ELEMENTS or rank == 0:
        return CallModel(returns)
    loop = Loop((BOOL, chosen, chosen), chosen)
    return CallModel(returns, ANY_EFFECT, _spec(WHERE, loop, [given, *operands_known], operands))
