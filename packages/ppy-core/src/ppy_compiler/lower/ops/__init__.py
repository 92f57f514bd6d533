"""Handlers: what each Python operation becomes. One module per family, as in the dialect; ``HANDLERS`` is their
union.

A handler is ``handler(body, op)``. It reads operands through the body (``read``, ``obj``, ``take``), emits, and
defines results; references,
unwinding and guards are the body's business. In a general body every operand is an object and no guard may be
emitted.
"""

from __future__ import annotations

from ppy_compiler.lower.ops import (
    calls,
    compare,
    containers,
    control,
    exceptions,
    functions,
    items,
    iteration,
    loops,
    misc,
    names,
    numbers,
)
from ppy_compiler.lower.ops.handler import Handlers

HANDLERS: Handlers = {
    **names.HANDLERS,
    **control.HANDLERS,
    **numbers.HANDLERS,
    **compare.HANDLERS,
    **calls.HANDLERS,
    **items.HANDLERS,
    **containers.HANDLERS,
    **iteration.HANDLERS,
    **loops.HANDLERS,
    **exceptions.HANDLERS,
    **functions.HANDLERS,
    **misc.HANDLERS,
}
"""Every operation that a function compiled to native code can contain."""

__all__ = ["HANDLERS"]
