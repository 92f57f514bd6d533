"""Conformance: what a plugin offers, what it lacks, and what it gets wrong."""

from __future__ import annotations

from collections.abc import Callable


def all_checks() -> dict[str, Callable[[str], str]]:
    """Every check by name, in the order they are run."""
    from . import checks, programs

    assert programs.__name__
    return checks.CHECKS
