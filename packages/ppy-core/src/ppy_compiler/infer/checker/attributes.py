"""Attributes that certainly are not there: of modelled modules and of the built-in types."""

from __future__ import annotations

import builtins
import importlib
from functools import lru_cache

from ppy_compiler.diagnostics.codes import types as codes
from ppy_compiler.dialects.py.calls import LoadMethod
from ppy_compiler.dialects.py.imports import ImportFrom
from ppy_compiler.dialects.py.operators import GetAttr
from ppy_compiler.infer.atoms import MODULE, NONE
from ppy_compiler.infer.checker.context import View, shown
from ppy_compiler.infer.checker.language import LANGUAGE_NAMES
from ppy_compiler.support.suggest import did_you_mean

FIXED_MODULES = frozenset(("math", "time", "operator", "ppy"))
"""Modules whose names the running Python (or this floor) knows completely; others may be given more by anyone."""


@lru_cache(maxsize=64)
def _names(module: str) -> frozenset[str]:
    if module == "ppy":
        return LANGUAGE_NAMES
    return frozenset(dir(importlib.import_module(module)))


@lru_cache(maxsize=64)
def _type_names(kind: str) -> frozenset[str]:
    cls = type(None) if kind == "none" else getattr(builtins, kind, object)
    return frozenset(dir(cls))


def attribute(op: GetAttr | LoadMethod, view: View) -> None:
    fact = view.fact(op.object)
    name = op.attribute
    if fact.only(MODULE) and fact.name in FIXED_MODULES:
        _module(op, view, fact.name, name)
    elif view.certain(op.object) and not fact.types & (fact.types - 1):
        kind = "none" if fact.types == NONE else fact.kind
        if hasattr(builtins, kind) or kind == "none":
            known = _type_names(kind)
            if name not in known:
                view.report(
                    codes.UNKNOWN_ATTRIBUTE,
                    op,
                    raises="AttributeError",
                    type=shown(fact),
                    name=name,
                    suggestion=_suggest(name, known),
                )


def _module(op: GetAttr | LoadMethod | ImportFrom, view: View, module: str, name: str) -> None:
    known = _names(module)
    if name not in known and not (name.startswith("__") and name.endswith("__")):
        raises = "ImportError" if isinstance(op, ImportFrom) else "AttributeError"
        view.report(
            codes.UNKNOWN_ATTRIBUTE,
            op,
            raises=raises,
            type=f"module {module}",
            name=name,
            suggestion=_suggest(name, known),
        )


def import_from(op: ImportFrom, view: View) -> None:
    fact = view.fact(op.module)
    if fact.only(MODULE) and fact.name in FIXED_MODULES:
        _module(op, view, fact.name, op.var)


def _suggest(name: str, known: frozenset[str]) -> str:
    return did_you_mean(name, sorted(n for n in known if not n.startswith("_")))


RULES = {GetAttr: attribute, LoadMethod: attribute, ImportFrom: import_from}
