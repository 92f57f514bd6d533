"""`ppy emit`: what a stage makes of a file, as text."""

from __future__ import annotations

import ast

from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.driver import stages
from ppy_compiler.driver.extensions import run_backend_passes
from ppy_compiler.driver.modules import MAIN
from ppy_compiler.driver.session import Session
from ppy_compiler.support.source import Source
from ppy_compiler.support.suggest import did_you_mean

STAGES = ("ast", "py", "typed", "native")
"""The compiler's own stages; a backend adds its formats ("llvm", "asm")."""


class UnknownStage(ValueError):
    """There is no such stage; the text says which there are."""


def emit(session: Session, source: Source, stage: str) -> str | bytes:
    """The text of `stage` for `source`. Raises CPython's SyntaxError."""
    code = stages.compiled(source)
    if stage == "ast":
        return ast.dump(ast.parse(source.data, source.path), indent=2, include_attributes=False) + "\n"
    if stage not in STAGES and stage not in session.backend.formats:
        known = (*STAGES, *session.backend.formats)
        raise UnknownStage(f"there is no stage {stage!r}{did_you_mean(stage, known)}; stages: {', '.join(known)}")
    plugins = session.plugins_for(source.path)
    module = stages.structured(stages.python_ir(source, MAIN, code), plugins)
    if stage == "py":
        return f"{module}\n"
    facts = stages.typed(module, plugins)
    if stage == "typed":
        from ppy_compiler.driver.remarks import typed_text

        return typed_text(module, facts)
    options = session.options_for(source.path)
    unit = stages.native(module, facts, code, options, plugins=plugins)
    if stage == "native":
        return f"{unit.module}\n"
    backend = session.backend
    run_backend_passes(unit.module, backend)
    refusals = list(backend.validate(unit))
    if refusals:
        raise DiagnosticError(refusals[0])
    with stages.stage(f"printing {stage} with backend {backend.name}"):
        return backend.emit(unit, stage, options)
