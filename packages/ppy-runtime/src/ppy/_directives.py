"""The directives: decorators that say something to the compiler and nothing to CPython.

Each returns the very object it decorates. What it said is kept on that object as ``__ppy__``, a dict from the
directive's name to its arguments::

    @ppy.native(require=True)
    @ppy.opt(3)
    def f() -> int: ...

    f.__ppy__ == {"opt": {"level": 3}, "native": {"require": True}}

The compiler reads directives in the source, where it also sees those under an ``if``; ``__ppy__`` is for tools that
hold the object. An object that takes no attributes carries none. The dict is never shared: ``functools.wraps`` copies
it onto the wrapper, a further directive there replaces the wrapper's own, and a class does not show its base's.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Protocol, TypeVar, overload

    T = TypeVar("T")

    class Directive(Protocol):
        """Bare or called; the decorated object itself either way."""

        @overload
        def __call__(self, target: T, /) -> T: ...
        @overload
        def __call__(self) -> Callable[[T], T]: ...

    class DirectiveWithRequire(Protocol):
        """A directive that can be made a demand."""

        @overload
        def __call__(self, target: T, /) -> T: ...
        @overload
        def __call__(self, *, require: bool = False) -> Callable[[T], T]: ...

    class DynamicDirective(Protocol):
        """A directive that also opens a block."""

        @overload
        def __call__(self, target: T, /) -> T: ...
        @overload
        def __call__(self) -> _Dynamic: ...


def mark(target: T, directive: str, arguments: dict[str, Any]) -> T:
    """Record on ``target`` that it carries ``directive`` with ``arguments``."""
    said = dict(getattr(target, "__dict__", {}).get("__ppy__", {}))
    said[directive] = arguments
    try:
        target.__ppy__ = said  # type: ignore[attr-defined]
    except (AttributeError, TypeError):  # builtins, slots: there is nowhere to write it down
        pass
    return target


def _named(function: Callable[..., Any], name: str, text: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


def _directive(name: str, text: str) -> Any:
    """A directive without arguments."""

    def directive(target: T | None = None, /) -> T | Callable[[T], T]:
        if target is not None:
            return mark(target, name, {})
        return lambda decorated: mark(decorated, name, {})

    return _named(directive, name, text)


def _directive_with_require(name: str, text: str) -> Any:
    """A directive that takes ``require=``."""

    def directive(target: T | None = None, /, *, require: bool = False) -> T | Callable[[T], T]:
        if target is not None:
            return mark(target, name, {"require": require})
        return lambda decorated: mark(decorated, name, {"require": require})

    return _named(directive, name, text)


pure: Directive = _directive("pure", "No effect beyond allocation, reads and exceptions; the compiler verifies it.")
specialize: Directive = _directive("specialize", "Make versions for observed scalar values and lengths.")
inline: Directive = _directive("inline", "Inline this function where it is called.")
noinline: Directive = _directive("noinline", "Never inline this function.")
fastmath: Directive = _directive("fastmath", "Floats in this function may be reassociated and contracted.")
reflective: Directive = _directive("reflective", "Annotations are read at run time: converters leave them alone.")
native: DirectiveWithRequire = _directive_with_require(
    "native", "Compile this function; with require=True any operation that stays general is an error."
)
parallel: DirectiveWithRequire = _directive_with_require(
    "parallel",
    "Run the outermost eligible range loops on threads; with require=True one that is not eligible is an error.",
)


def opt(level: int) -> Callable[[T], T]:
    """Optimisation level 0 to 3 for this function."""
    if type(level) is not int:
        raise TypeError(f"ppy.opt takes a level from 0 to 3, not {level!r}")
    if not 0 <= level <= 3:
        raise ValueError(f"ppy.opt takes a level from 0 to 3, not {level}")
    return lambda target: mark(target, "opt", {"level": level})


class _Dynamic:
    """What ``ppy.dynamic()`` returns: a decorator and a context manager."""

    __slots__ = ()

    def __call__(self, target: T) -> T:
        return mark(target, "dynamic", {})

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        return None


def _dynamic(target: T | None = None, /) -> T | _Dynamic:
    return _Dynamic() if target is None else mark(target, "dynamic", {})


dynamic: DynamicDirective = _named(
    _dynamic, "dynamic", "This code is CPython's; nothing is assumed about it. Also `with ppy.dynamic():` for a block."
)
