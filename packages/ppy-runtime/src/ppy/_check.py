"""``ppy.check[T](v)`` and ``ppy.assume[T](v)``.

``check`` looks at all of ``v``, refinements and elements included, returns ``v`` itself or raises TypeError with the
path to the first part that is not what T says. ``assume`` promises the same to the compiler and looks at nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar, overload

    T = TypeVar("T")

    class ByType(Protocol):
        """Subscripted with a type, gives the function for values of it."""

        @overload
        def __getitem__(self, wanted: type[T], /) -> Callable[[object], T]: ...
        @overload
        def __getitem__(self, wanted: object, /) -> Callable[[object], Any]: ...


class _Check:
    """``check[T]``."""

    __slots__ = ()

    def __getitem__(self, wanted: object, /) -> Callable[[object], Any]:
        from ._validate import validator

        test = validator(wanted)

        def check(value: object) -> object:
            problem = test(value, "value", {})
            if problem is not None:
                raise TypeError(f"check failed: {problem}")
            return value

        return check

    def __repr__(self) -> str:
        return "ppy.check"


class _Assume:
    """``assume[T]``."""

    __slots__ = ()

    def __getitem__(self, wanted: object, /) -> Callable[[object], Any]:
        return _same

    def __repr__(self) -> str:
        return "ppy.assume"


def _same(value: object) -> object:
    return value


check: ByType = _Check()
assume: ByType = _Assume()
