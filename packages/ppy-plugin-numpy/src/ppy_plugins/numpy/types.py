"""Arrays and NumPy's scalars as types: what annotations say of them, and what two operands make.

An array is ``numpy.ndarray`` with the refinements ``dtype`` (its name), ``rank``, ``shape`` (extents, None where one is
not known) and ``order`` ("C" where it is known to be contiguous in row-major order).
"""

from __future__ import annotations

from dataclasses import dataclass

from ppy_compiler.plugins.types import ExternalType, Value
from ppy_plugins.numpy.dtypes import BOOL, BUILTIN, BY_NAME, DType, Operand, Weak

Shape = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ArrayType(ExternalType):
    """``numpy.ndarray`` itself, never a subclass."""

    @property
    def dtype(self) -> DType | None:
        return BY_NAME.get(str(self.get("dtype")))

    @property
    def rank(self) -> int | None:
        rank = self.get("rank")
        return rank if isinstance(rank, int) else None

    @property
    def shape(self) -> Shape | None:
        shape = self.get("shape")
        return shape if isinstance(shape, tuple) else None

    def subscripted(self, arguments: tuple[Value, ...]) -> ArrayType | None:
        """``NDArray[np.float64]`` and ``np.ndarray[tuple[int, int], np.dtype[np.float64]]``."""
        *shape, element = arguments
        found = dtype_of(element)
        return array(found, rank=_annotated_rank(shape[0]) if shape else None)

    def annotated(self, refinement: str, arguments: tuple[object, ...]) -> ArrayType:
        """``Annotated[..., ppy.Shape(3, "n")]``, ``ppy.DType("float64")``, ``ppy.Contiguous``."""
        match refinement, arguments:
            case "Shape", extents:
                return self.refine(rank=len(extents), shape=tuple(e if isinstance(e, int) else None for e in extents))
            case "DType", (str(name),) if name in BY_NAME:
                return self.refine(dtype=BY_NAME[name].name)
            case "Contiguous", _:
                return self.refine(order="C")
        return self


@dataclass(frozen=True, slots=True)
class DTypeType(ExternalType):
    """``numpy.dtype``."""

    def subscripted(self, arguments: tuple[Value, ...]) -> DTypeType | None:
        """``np.dtype[np.float64]``."""
        found = dtype_of(arguments[0])
        return None if found is None else self.refine(dtype=found.name)


def _annotated_rank(value: Value) -> int | None:
    """The rank that ``tuple[int, int]`` stands for; ``tuple[int, ...]`` and ``Any`` say nothing."""
    if value.items is not None:
        return len(value.items)
    inside = value.type.removeprefix("tuple[").removesuffix("]") if value.type.startswith("tuple[") else "..."
    return None if "..." in inside else inside.count(",") + 1


def array(
    dtype: DType | None, *, rank: int | None = None, shape: Shape | None = None, order: str | None = None
) -> ArrayType:
    """An array of which these things are known."""
    plain = ArrayType("numpy.ndarray")
    rank = len(shape) if shape is not None else rank
    return plain.refine(dtype=None if dtype is None else dtype.name, rank=rank, shape=shape, order=order)


NUMBERS = {"float64": "f64", "int64": "i64", "bool": "bool"}
"""The scalars that native code holds in registers."""


def scalar(dtype: DType) -> ExternalType:
    """An instance of ``numpy.float64`` and its like."""
    return ExternalType(f"numpy.{dtype.name}", number=NUMBERS.get(dtype.name, ""))


SCALARS = {scalar(dtype).name: dtype for dtype in BY_NAME.values()}
"""The scalar types by dotted name."""


def dtype_of(value: Value) -> DType | None:
    """The number type that an argument ``dtype=`` or an annotation names: ``np.float64``, ``float``, ``"f8"``,
    ``np.dtype[np.float64]``."""
    if isinstance(value.external, ExternalType) and value.external.name == "numpy.dtype":
        return BY_NAME.get(str(value.external.get("dtype")))
    if isinstance(value.external, ExternalType):
        return SCALARS.get(value.external.name)
    name = value.name.removeprefix("numpy.") if value.name.startswith("numpy.") else ""
    if name in BY_NAME:
        return BY_NAME[name]
    if isinstance(value.constant, str):
        return BY_NAME.get(value.constant) or SHORT.get(value.constant.lstrip("=<|"))
    return BUILTIN.get(value.name.removeprefix("builtins."))


SHORT = {f"{dtype.kind}{dtype.itemsize}": dtype for dtype in BY_NAME.values() if dtype is not BOOL} | {"?": BOOL}
"""``f8``, ``i4`` …"""
PYTHON_NUMBERS: dict[str, Operand] = {
    "int": Weak.INT,
    "float": Weak.FLOAT,
    "complex": Weak.COMPLEX,
    "bool": BOOL,
}


def operand_of(value: Value) -> Operand | None:
    """As what a value takes part in promotion; ``None``: that is not known."""
    if isinstance(value.external, ArrayType):
        return value.external.dtype
    if value.external is not None:
        return SCALARS.get(value.external.name)
    return PYTHON_NUMBERS.get(value.type)


def broadcast(values: tuple[Value, ...]) -> tuple[int | None, Shape | None]:
    """The rank and the shape of an elementwise result; of scalars the rank is 0."""
    ranks = [value.external.rank if isinstance(value.external, ArrayType) else 0 for value in values]
    shapes = [value.external.shape if isinstance(value.external, ArrayType) else () for value in values]
    rank = None if None in ranks else max(r for r in ranks if r is not None)
    if rank is None or None in shapes:
        return rank, None
    padded = [(1,) * (rank - len(s)) + s for s in shapes if s is not None]
    return rank, tuple(_extent(extents) for extents in zip(*padded, strict=True))


def _extent(extents: tuple[int | None, ...]) -> int | None:
    """Of one dimension; an extent that is not known may be 1."""
    stretched = {extent for extent in extents if extent is not None and extent != 1}
    if stretched:
        return stretched.pop()
    return None if None in extents else 1
