"""``ppy.cpu``: this machine's processor."""

from __future__ import annotations

from ._directives import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

__all__ = ["target"]


def target(*features: str) -> Callable[[T], T]:
    """Compile this function with these CPU features (LLVM's names, ``avx2``); it is bound only where they exist."""
    for feature in features:
        if not isinstance(feature, str) or not feature:
            raise TypeError(f"ppy.cpu.target takes names of CPU features, not {feature!r}")
    if not features:
        raise TypeError("ppy.cpu.target needs at least one CPU feature")
    return lambda decorated: mark(decorated, "cpu.target", {"features": features})
