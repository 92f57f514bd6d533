"""Imports: a module with a model is known by name, under the guard that the import gave the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.imports import ImportFrom, ImportName, ImportStar
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import MODULE
from ppy_compiler.infer.facts import NEVER, OBJECT, named
from ppy_compiler.infer.transfer.objects import module_attribute
from ppy_compiler.infer.transfer.plugged import claimed
from ppy_compiler.models import modelled_modules

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer


def import_name(op: ImportName, env: FunctionAnalysis) -> Answer:
    """``import a.b`` gives ``a`` unless names are taken from it."""
    name = op.module if op.fromlist else op.module.partition(".")[0]
    if op.level == 0 and (name in modelled_modules() or claimed(name, env)):
        # sys.modules can hold anything under the name: attributes are guarded one by one.
        return (named(MODULE, name),), fx.ANYTHING
    return (OBJECT,), fx.ANYTHING


def import_from(op: ImportFrom, env: FunctionAnalysis) -> Answer:
    module = env.fact(op.module)
    if not module.types:
        return (NEVER,), fx.QUIET
    if module.only(MODULE) and module.name:
        found = module_attribute(op, module, op.var, env)
        if found is not None:
            # A library's module may make what is not there when it is asked.
            return (found,), fx.ANYTHING if claimed(module.name, env) else fx.RAISES | fx.OBJECTS
    return (OBJECT,), fx.ANYTHING


def import_star(op: ImportStar, env: FunctionAnalysis) -> Answer:
    return (), fx.ANYTHING | fx.GLOBALS


TABLE = {ImportName: import_name, ImportFrom: import_from, ImportStar: import_star}
