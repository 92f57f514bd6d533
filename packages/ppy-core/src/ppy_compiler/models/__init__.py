"""Models: the builtin functions, types and parts of the standard library, as data (``stubs/*.stub``).

Each entry says its type, its effects, what it can raise, and on which rung lowering finds its native form. Nothing
here knows about facts
or code: inference reads types and effects, lowering reads rungs. What has no entry is simply called.
"""

from __future__ import annotations

from ppy_compiler.models.loader import load, lookup, modelled_modules, parse
from ppy_compiler.models.schema import Entry, ModuleModel, Parameter, Signature

__all__ = ["Entry", "ModuleModel", "Parameter", "Signature", "load", "lookup", "modelled_modules", "parse"]
