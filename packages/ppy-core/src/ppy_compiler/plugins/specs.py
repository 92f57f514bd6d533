"""What a plugin says about lowering one operation: typed data that the compiler reads, never code.

A spec chooses between the things that can happen to an operation whose meaning the plugin knows:

- `IntrinsicSpec`: it does what a modelled function of the standard library does;
- `DialectOperationSpec`: it is an operation of a dialect, whose lowering the plugin registers;
- `DirectCallSpec`: a C function of the library does it;
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
class FallbackSpec:
    """CPython does it; `reason` is what `ppy explain` prints."""

    reason: str


@dataclass(frozen=True, slots=True)
class RejectSpec:
    """It fails whenever it is reached; `reason` becomes the error that `ppy check` reports."""

    reason: str


LoweringSpec = IntrinsicSpec | DialectOperationSpec | DirectCallSpec | FallbackSpec | RejectSpec
