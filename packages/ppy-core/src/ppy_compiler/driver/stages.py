"""The stages a module goes through, each as one call, with every failure in the right words.

Text that is not Python raises CPython's SyntaxError (or ValueError, for null bytes), a refusal raises DiagnosticError;
any other exception is a fault of ours, or of a plugin or backend, and leaves as `StageFailed` naming the stage.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import TYPE_CHECKING

from ppy_compiler.backends.interface import MissingObject
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from ppy_compiler.backends import Options, Unit
    from ppy_compiler.dialects.builtin import Module
    from ppy_compiler.infer.results import ModuleFacts
    from ppy_compiler.ir import Operation
    from ppy_compiler.lower.pieces import PieceStore
    from ppy_compiler.plugins.registry import PluginSet
    from ppy_compiler.support.source import Source


VERIFY_VARIABLE = "PPY_VERIFY"
"""Set, the verifier looks at the IR after every stage; the tests set it."""


class StageFailed(Exception):
    """`error` happened while PPY was `stage` ("lowering", …)."""

    def __init__(self, stage: str, error: Exception) -> None:
        super().__init__(f"{stage}: {type(error).__name__}: {error}")
        self.stage = stage
        self.error = error


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Names the stage of whatever goes wrong inside."""
    try:
        yield
    except (DiagnosticError, MissingObject, StageFailed, OSError):  # a disk is full: no fault of a stage
        raise
    except Exception as error:
        raise StageFailed(name, error) from error


def compiled(source: Source) -> CodeType:
    """CPython's code object; its SyntaxError and ValueError pass. What is nested too deeply for its parser or compiler
    is refused as text that is not Python, too (SyntaxError), for CPython cannot run it either."""
    from ppy_compiler.frontend.syntax import compile_code

    try:
        return compile_code(source)
    except (RecursionError, MemoryError) as error:
        raise SyntaxError(str(error) or "too complex to compile", (source.path, None, None, None)) from error


def python_ir(source: Source, name: str, code: CodeType) -> Module:
    """The module in Python IR; `code` is its code object, so its syntax is known to be right."""
    with stage("building the IR"):
        from ppy_compiler.frontend.module import build_module

        module = build_module(source, name, code)
        verified(module)
        return module


def structured(module: Module, plugins: PluginSet) -> Module:
    """The module after the structural passes and those of the project's plugins."""
    with stage("running passes"):
        from ppy_compiler.passes.structural import run_structural

        run_structural(module)
        verified(module)
        if plugins.plugins:
            from ppy_compiler.driver.extensions import run_plugin_passes

            run_plugin_passes(module, plugins)
    return module


def typed(module: Module, plugins: PluginSet) -> ModuleFacts:
    """What inference knows of the module."""
    with stage("inferring types"):
        from ppy_compiler.infer import Assumptions, analyze

        return analyze(module, assumptions=Assumptions(python=sys.version_info[:2]), plugins=plugins)


def verified(module: Operation) -> None:
    """Raise VerifyError unless the IR is well formed, where somebody asked for that to be looked at."""
    if os.environ.get(VERIFY_VARIABLE, "") not in ("", "0"):
        from ppy_compiler.ir.verifier import verify

        verify(module)


def native(
    module: Module,
    facts: ModuleFacts,
    code: CodeType,
    options: Options,
    store: PieceStore | None = None,
    plugins: PluginSet | None = None,
) -> Unit:
    """The unit in native IR; functions whose pieces are in `store` are not lowered again. `plugins` bring what the
    operations of their dialects become."""
    with stage("lowering"):
        from ppy_compiler.lower import lower_module

        unit = lower_module(module, facts, code, options, store)
        verified(unit.module)
        if plugins is not None and plugins.plugins:
            from ppy_compiler.driver.extensions import lower_dialects

            lower_dialects(unit.module, plugins)
            verified(unit.module)
        return unit


def checked(module: Module, facts: ModuleFacts, source: Source) -> list[Diagnostic]:
    """Errors, warnings and remarks about the module."""
    with stage("checking"):
        from ppy_compiler.infer import check

        return check(module, facts, source)


def unexpanded(module: Module, facts: ModuleFacts, code: CodeType, source: Source) -> list[Diagnostic]:
    """Remarks about calls that `@ppy.inline` does not expand."""
    from ppy_compiler.dialects.py.functions import Func

    functions = (op for op in module.body.entry.ops if isinstance(op, Func))
    if not any(name == "inline" for function in functions for name, _ in function.directives):
        return []
    with stage("looking for calls to expand"):
        from ppy_compiler.backends import Options
        from ppy_compiler.lower.unexpanded import remarks
        from ppy_compiler.lower.unit import UnitLowering

        return list(remarks(UnitLowering(module, facts, code, Options()), source.path))
