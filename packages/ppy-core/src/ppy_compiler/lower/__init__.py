"""Typed Python IR to native IR.

Takes a module of Python IR and the facts of inference; gives a :class:`~ppy_compiler.backends.interface.Unit` of
native IR in which every
representation is chosen, every reference counted, every error and guard has its way out. Nothing is inferred here.
"""

from __future__ import annotations

from ppy_compiler.lower.unit import UnitLowering, lower_module

__all__ = ["UnitLowering", "lower_module"]
