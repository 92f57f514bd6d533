"""What a compiled program takes and gives, read from its optimised HLO.

The C API has no question for parameter shapes; the HLO module the plugin returns has all of it (dtypes, dimensions of
one device's shard, layouts), for programs that came as text, bytecode, HLO or from a cache alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from .dtypes import DType, dtype_of_xla
from .wire import Reader

_TUPLE = 13


@dataclass(frozen=True, slots=True)
class TensorType:
    """Element type, dimensions, and the minor-to-major order where it is not row-major."""

    dtype: DType
    shape: tuple[int, ...]
    layout: tuple[int, ...] | None = None

    def __str__(self) -> str:
        order = f"{{{','.join(map(str, self.layout))}}}" if self.layout is not None else ""
        return f"{self.dtype}[{','.join(map(str, self.shape))}]{order}"


@dataclass(frozen=True, slots=True)
class Signature:
    """Parameters and results of one device's program."""

    parameters: tuple[TensorType, ...]
    results: tuple[TensorType, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parameters))}) -> ({', '.join(map(str, self.results))})"


def of_hlo(module: bytes) -> Signature:
    """The signature in a serialised ``HloModuleProto``."""
    shape = Reader("ProgramShapeProto", Reader("HloModuleProto", module).messages("host_program_shape")[0])
    parameters = [leaf for raw in shape.messages("parameters") for leaf in _leaves(raw)]
    results = [leaf for raw in shape.messages("result") for leaf in _leaves(raw)]
    return Signature(tuple(parameters), tuple(results))


def _leaves(raw: memoryview) -> list[TensorType]:
    shape = Reader("ShapeProto", raw)
    if shape.integer("element_type") == _TUPLE:
        return [leaf for part in shape.messages("tuple_shapes") for leaf in _leaves(part)]
    dimensions = shape.integers("dimensions")
    layout: tuple[int, ...] | None = None
    for part in shape.messages("layout"):
        layout = Reader("LayoutProto", part).integers("minor_to_major")
    return [TensorType(dtype_of_xla(shape.integer("element_type")), dimensions, canonical(layout, dimensions))]


def canonical(layout: tuple[int, ...] | None, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """A minor-to-major order, or None where elements lie row-major: dimensions of size 1 do not count."""
    if layout is None or len(layout) != len(shape):
        return None
    order = [axis for axis in layout if shape[axis] != 1]
    return None if order == sorted(order, reverse=True) or 0 in shape else layout
