"""The dialect `tiny`: one operation that does nothing."""

from __future__ import annotations

from ppy_compiler.ir import Op, attr


class Seen(Op):
    """Marks a module that the plugin's pass has seen."""

    name = "tiny.seen"
    by = attr(str)


OPS = (Seen,)
