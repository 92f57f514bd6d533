"""Widths, refinements and ownership, as annotations.

All are ``typing.Annotated`` over ordinary types, so that ``x: ppy.i32`` is an ``int`` to a type checker and to Python;
the metadata says the rest to the compiler and to ``ppy.check``::

    def f(n: Annotated[int, ppy.Range(0, 100)], xs: Annotated[ppy.Buffer[ppy.f64], ppy.Contiguous]) -> ppy.u8: ...

Metadata objects are small frozen values: equal ones compare and hash equal, so equal annotations do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Protocol, TypeVar, final

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
E = TypeVar("E")


class _Metadata:
    """A frozen value: its slots are its fields, set once by the constructor."""

    __slots__: tuple[str, ...] = ()

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __reduce__(self) -> tuple[type[_Metadata], tuple[object, ...]]:
        return type(self), self._fields()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._fields()))})"


@final
class Int(_Metadata):
    """An integer of ``bits`` bits; ``low`` and ``high`` are its extreme values."""

    __slots__ = ("bits", "signed")
    bits: int
    signed: bool

    def __init__(self, bits: int, signed: bool = True) -> None:
        self._set(bits=bits, signed=signed)

    @property
    def low(self) -> int:
        """The least value."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The greatest value."""
        return (1 << (self.bits - self.signed)) - 1


@final
class Float(_Metadata):
    """A binary floating-point format, by the name of its width: ``f16 bf16 f32 f64``."""

    __slots__ = ("format",)
    format: str

    def __init__(self, format: str) -> None:
        self._set(format=format)


i8 = Annotated[int, Int(8)]
i16 = Annotated[int, Int(16)]
i32 = Annotated[int, Int(32)]
i64 = Annotated[int, Int(64)]
u8 = Annotated[int, Int(8, False)]
u16 = Annotated[int, Int(16, False)]
u32 = Annotated[int, Int(32, False)]
u64 = Annotated[int, Int(64, False)]
f16 = Annotated[float, Float("f16")]
bf16 = Annotated[float, Float("bf16")]
f32 = Annotated[float, Float("f32")]
f64 = Annotated[float, Float("f64")]


@final
class Range(_Metadata):
    """A number from ``lo`` to ``hi``, both included; None leaves that side open."""

    __slots__ = ("lo", "hi")  # noqa: RUF023  # the constructor's order
    lo: float | None
    hi: float | None

    def __init__(self, lo: float | None = None, hi: float | None = None) -> None:
        if lo is not None and hi is not None and lo > hi:
            raise ValueError(f"Range({lo!r}, {hi!r}) is empty")
        self._set(lo=lo, hi=hi)


@final
class Length(_Metadata):
    """A length from ``lo`` to ``hi``, both included: ``Length(3)`` is exactly three, ``Length(1, None)`` at least."""

    __slots__ = ("lo", "hi")  # noqa: RUF023  # the constructor's order
    lo: int
    hi: int | None

    def __init__(self, lo: int, *upper: int | None) -> None:
        if len(upper) > 1:
            raise TypeError(f"Length takes one or two bounds, not {1 + len(upper)}")
        hi = upper[0] if upper else lo
        if lo < 0 or (hi is not None and hi < lo):
            raise ValueError(f"Length({lo!r}, {hi!r}) is empty")
        self._set(lo=lo, hi=hi)


@final
class Shape(_Metadata):
    """The extent of each axis: a number, a name (equal names are equal extents), or None for any."""

    __slots__ = ("dims",)
    dims: tuple[int | str | None, ...]

    def __init__(self, *dims: int | str | None) -> None:
        self._set(dims=dims)

    def __reduce__(self) -> tuple[type[_Metadata], tuple[object, ...]]:
        return type(self), self.dims

    def __repr__(self) -> str:
        return f"Shape({', '.join(map(repr, self.dims))})"


@final
class DType(_Metadata):
    """The element type of an array, by NumPy's name: ``float64``."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        self._set(name=name)


class _Flag(_Metadata):
    """A refinement without arguments, written as a bare name."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        self._set(name=name)

    def __reduce__(self) -> str:  # type: ignore[override]  # a global's name: pickled and copied as itself
        return self.name

    def __repr__(self) -> str:
        return f"ppy.{self.name}"


Contiguous = _Flag("Contiguous")
"""The elements lie one after another, in C order."""

NoAlias = _Flag("NoAlias")
"""No other argument reaches the same memory."""


@final
class Ownership(_Metadata):
    """Who may do what with a value: ``owned``, ``borrowed`` or ``mut``."""

    __slots__ = ("mode",)
    mode: str

    def __init__(self, mode: str) -> None:
        self._set(mode=mode)


Owned = Annotated[T, Ownership("owned")]
"""``Owned[T]``: a T that the callee takes over."""

Borrowed = Annotated[T, Ownership("borrowed")]
"""``Borrowed[T]``: a T that the callee only reads, for the length of the call."""

Mut = Annotated[T, Ownership("mut")]
"""``Mut[T]``: a T that the callee changes in place, for the length of the call."""

Dynamic = Annotated[Any, "ppy.Dynamic"]
"""A value about which nothing is assumed: every operation on it is CPython's."""


class Buffer(Protocol[E]):
    """A borrowed, zero-copy view of elements in memory: ``array.array``, ``memoryview``, ``bytearray``, NumPy arrays of
    any rank. For type checkers anything indexed and written like a sequence of T; ``ppy.check`` asks for the buffer
    protocol and the element's format."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[E]: ...

    def __getitem__(self, index: int, /) -> E: ...

    def __setitem__(self, index: int, value: E, /) -> None: ...
