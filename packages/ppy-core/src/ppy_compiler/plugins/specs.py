"""What a plugin says about lowering one operation: typed data that the compiler reads, never code.

A spec chooses between the things that can happen to an operation whose meaning the plugin knows:

- `IntrinsicSpec`: it does what a modelled function of the standard library does;
- `DialectOperationSpec`: it is an operation of a dialect, whose lowering the plugin registers;
- `DirectCallSpec`: a C function of the library does it;
- `ElementwiseSpec`: it is an operation on every element of arrays, to be fused with those around it;
- `SumSpec`: it sums all elements of an array, to be fused with what computes them;
- `ElementSpec`: it loads or stores an element of an array;
- `ScalarSpec`: it is an operator on scalars of NumPy;
- `FallbackSpec`: CPython does it, and the reader is told why;
- `RejectSpec`: it is certain to fail, and is reported.

The first three stand behind guards: that what is called still is the function which the library defined, that the
operands are exactly of the types. Where one fails, or the operation itself declines, the operation is CPython's.
"""

from __future__ import annotations

from dataclasses import dataclass

SCALARS = {"double": "f64", "int64_t": "i64", "int32_t": "i32", "bool": "i1"}
"""The C types that numbers can be handed over as, and the native types that they are."""
NATIVE = {**SCALARS, "object": "object"}
"""The same for operations of dialects, which take objects, too."""
NOTHING = "void"
"""The result of what gives nothing: None."""


@dataclass(frozen=True, slots=True)
class IntrinsicSpec:
    """The call is a modelled function of the standard library under another name: `foolib.root` is `math.sqrt`. Where
    that function would raise, the library's own function is called and raises."""

    function: str


@dataclass(frozen=True, slots=True)
class DialectOperationSpec:
    """The operation becomes `operation` ("foo.cube") of some dialect.

    `operands` are the types (`NATIVE`) as which the site's values are handed over, in order, and `result` is that of
    the operation's result, `NOTHING` where it has none; an "object" operand is borrowed, an "object" result a new
    reference. `attributes` are those of the operation. With `declines` the operation has one more result, a bit: 0
    means that it did nothing, that its other result means nothing, and that CPython shall do it instead: so it is for
    everything that can raise. Of an operand of an external type the class is checked before; its refinements are not,
    and an operation that relies on one looks and declines.
    """

    operation: str
    operands: tuple[str, ...]
    result: str
    attributes: tuple[tuple[str, object], ...] = ()
    declines: bool = False


@dataclass(frozen=True, slots=True)
class DirectCallSpec:
    """The C function `symbol` in `library` is called with numbers as they are; it must not raise, nor touch objects.

    `library` is the file's path from the folder in which the library is installed ("foolib/_core.so"). It is looked for
    when the call is first reached; where file or symbol is missing, CPython makes the call.
    """

    library: str
    symbol: str
    parameters: tuple[str, ...]
    result: str

    @property
    def signature(self) -> str:
        return f"{self.result} {self.symbol}({', '.join(self.parameters)})"


@dataclass(frozen=True, slots=True)
class TensorOperand:
    """One operand, or the result, of an operation on elements. `element` is its type, one of `i1 i8 u8 … i64 u64 f32
    f64` for an array and `int` or `float` for a Python number; `code` is how the library numbers the type of an
    array."""

    element: str
    code: int = 0


@dataclass(frozen=True, slots=True)
class ElementwiseSpec:
    """The operation computes each element of a new array from those of its operands, broadcast as NumPy broadcasts.

    `kind` is one of the tensor dialect's (`tensor.KINDS`), "cast", or "library" where the values are those of the
    library's own inner loop, called `function`. The operands are the first of the site's; each is
    cast to the element type in `computed` before. Trees of such operations become one kernel, which makes no array in
    between and looks for itself whether its operands are arrays of these types; where it declines, or an operation
    stands alone, CPython does them one by one.
    """

    kind: str
    operands: tuple[TensorOperand, ...]
    computed: tuple[str, ...]
    result: TensorOperand
    function: str = ""


@dataclass(frozen=True, slots=True)
class SumSpec:
    """The operation sums all elements of its first operand, each cast to the element type of the result, and divides by
    their number for a `mean`."""

    operand: TensorOperand
    result: TensorOperand
    mean: bool = False

    @property
    def operands(self) -> tuple[TensorOperand, ...]:
        return (self.operand,)

    @property
    def computed(self) -> tuple[str, ...]:
        return (self.result.element,)


@dataclass(frozen=True, slots=True)
class ElementSpec:
    """The operation loads or stores one element of its first operand, an array of `rank` dimensions whose elements are
    `element` (as of a `TensorOperand`; `code` is how the library numbers that type), at the integers of the second.

    What the array is, and that the element is there, is checked; everything else, errors included, is the library's.
    A loaded element is a number that has a register: `f64`, `i64` or `i1`.
    """

    element: str
    code: int
    rank: int
    stores: bool = False


@dataclass(frozen=True, slots=True)
class ScalarSpec:
    """The operator `kind` on scalars of NumPy, and on numbers of Python where NumPy treats them alike: computed as
    `element`, `f64` or `i64`, in registers. Where NumPy would warn the operation is its own."""

    kind: str
    element: str


@dataclass(frozen=True, slots=True)
class FallbackSpec:
    """CPython does it; `reason` is what `ppy explain` prints."""

    reason: str


@dataclass(frozen=True, slots=True)
class RejectSpec:
    """It fails whenever it is reached; `reason` becomes the error that `ppy check` reports."""

    reason: str


LoweringSpec = (
    IntrinsicSpec
    | DialectOperationSpec
    | DirectCallSpec
    | ElementwiseSpec
    | SumSpec
    | ElementSpec
    | ScalarSpec
    | FallbackSpec
    | RejectSpec
)
