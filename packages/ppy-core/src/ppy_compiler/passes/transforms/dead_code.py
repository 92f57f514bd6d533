"""Operations that nobody needs: no effect, no exception, no use."""

from __future__ import annotations

from ppy_compiler.ir.core import Operation
from ppy_compiler.ir.rewrite import apply_patterns


def remove_dead_code(func: Operation) -> bool:
    """Erase them, and what only they needed; whether there were any."""
    return apply_patterns(func, {})
