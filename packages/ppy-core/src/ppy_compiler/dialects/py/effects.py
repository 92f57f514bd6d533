"""The combinations of traits that Python's operations have."""

from __future__ import annotations

from ppy_compiler.ir import Trait

RUNS = Trait.RAISES | Trait.RUNS_CODE
"""May raise and may run any Python code."""
RAISES = Trait.RAISES
"""May raise, runs no Python code."""
ALLOCATES = Trait.ALLOCATES
PURE = Trait.PURE
EFFECT = Trait.NONE
"""Changes state but neither raises nor runs code."""
