"""Source text to syntax: CPython parses and compiles, so that every error is its own.

Takes a :class:`Source`; gives the ``ast`` of the running Python and the module's code object. Errors that only the
compiler finds (``return`` outside a function) are raised here too, hence nothing later checks syntax.
"""

from __future__ import annotations

import ast
import warnings
from types import CodeType

from ppy_compiler.support.source import Source


def parse(source: Source) -> ast.Module:
    """The syntax tree; raises CPython's SyntaxError (or ValueError for null bytes, where CPython does).

    Warnings (an invalid escape sequence) are left to :func:`compile_code`, or they would be shown twice.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source.data, source.path)


def compile_code(source: Source, *, optimize: int = -1) -> CodeType:
    """The code object that CPython makes of the module, under no ``__future__`` of ours."""
    code: CodeType = compile(source.data, source.path, "exec", dont_inherit=True, optimize=optimize)
    return code
