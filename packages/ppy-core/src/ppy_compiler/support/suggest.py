"""The nearest known name, for messages about unknown ones."""

from __future__ import annotations

from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None when nothing is near."""
    import difflib

    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence: `; did you mean 'x'?`, or nothing."""
    best = closest(name, known)
    return f"; did you mean {best!r}?" if best is not None else ""
