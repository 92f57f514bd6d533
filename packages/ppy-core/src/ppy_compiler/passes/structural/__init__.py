"""Structural passes: they reshape Python IR before inference, so that later stages see the program's intent.

They come before the split into fast body and twin: what they put in place has its meaning in every body.
"""

from __future__ import annotations

from ppy_compiler.dialects import builtin
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.passes.structural.range_loops import fuse_range_loops

PASSES = (fuse_range_loops,)
"""In order; each takes a ``py.func``."""


def run_structural(module: builtin.Module) -> None:
    """All structural passes over every function that is to become native."""
    for op in module.body.entry.ops:
        if isinstance(op, Func) and not op.native:
            for apply in PASSES:
                apply(op)
