"""The frontend: source text to syntax to scopes to Python IR.

Takes a :class:`~ppy_compiler.support.source.Source`. Guarantees Python IR that means exactly what CPython's
compiler would make of the text, with CPython's places, and raises CPython's own SyntaxError where it would refuse.
Knows no types.

Order of the stages: ``syntax`` (CPython parses and compiles), ``symbols`` and ``scopes`` (what each name means),
``module`` and ``builder`` (functions, blocks, variables), ``table`` and ``constructs`` (one small function per
syntax node).
"""

from __future__ import annotations

from ppy_compiler.frontend.codes import code_paths
from ppy_compiler.frontend.module import build_module
from ppy_compiler.frontend.syntax import compile_code, parse

__all__ = ["build_module", "code_paths", "compile_code", "parse"]
