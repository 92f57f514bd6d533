"""Inference: facts about Python IR by abstract interpretation.

Takes a ``builtin.module`` of Python IR (``frontend.build_module``) and answers types, ranges, constants, effects,
call targets and the
operations that stay general; changes nothing. ``check`` turns the facts into diagnostics. Lowering reads facts and
never infers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.builtin import Module
from ppy_compiler.infer.facts import Fact
from ppy_compiler.infer.results import Assumptions, CallTarget, Effects, FunctionFacts, ModuleFacts, Remark, summary_key
from ppy_compiler.plugins.registry import NO_PLUGINS, PluginSet

if TYPE_CHECKING:
    from ppy_compiler.diagnostics.code import Diagnostic
    from ppy_compiler.support.source import Source

__all__ = [
    "Assumptions",
    "CallTarget",
    "Effects",
    "Fact",
    "FunctionFacts",
    "ModuleFacts",
    "Remark",
    "analyze",
    "check",
    "summary_key",
]


def analyze(module: Module, *, assumptions: Assumptions | None = None, plugins: PluginSet = NO_PLUGINS) -> ModuleFacts:
    """The facts of all functions of ``module``; ``plugins`` model the libraries it imports."""
    from ppy_compiler.infer.module import ModuleAnalysis

    return ModuleAnalysis(module, assumptions if assumptions is not None else Assumptions(), plugins).run()


def check(module: Module, facts: ModuleFacts, source: Source) -> list[Diagnostic]:
    """Errors and remarks about ``module``, by place."""
    from ppy_compiler.infer.checker import check as run

    return run(module, facts, source)
