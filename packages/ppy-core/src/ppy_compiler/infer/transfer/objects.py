"""Attributes: of modules through their models, of everything else as CPython finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.operators import DelAttr, GetAttr, SetAttr
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import reasons
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import BUILTIN, BY_NAME, CLASS, INERT, MODULE, atoms_of
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact, named, replace
from ppy_compiler.infer.transfer.external import external_attribute
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.infer.transfer.names import unknown
from ppy_compiler.infer.transfer.plugged import claimed, plugged_attribute
from ppy_compiler.ir import Operation
from ppy_compiler.models import lookup

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer


def module_attribute(op: Operation, module: Fact, attribute: str, env: FunctionAnalysis) -> Fact | None:
    """A modelled attribute of a known module, under the guard that it is still what the model describes."""
    if claimed(module.name, env):
        return plugged_attribute(op, module, attribute, env)
    name = f"{module.name}.{attribute}"
    entry = lookup(name)
    if entry is None:
        return None
    depends = module.depends | {name}
    if entry.kind == "constant":
        return replace(loaded(annotation_fact(entry.annotation)), depends=depends)
    return named(CLASS if entry.kind == "class" else BUILTIN, name, depends)


def method_name(fact: Fact, attribute: str) -> str | None:
    """The model of a method of an exact built-in type."""
    if fact.types & (fact.types - 1) or not fact.types:
        return None
    kind = fact.kind if fact.kind in BY_NAME else ""
    name = f"builtins.{kind}.{attribute}"
    return name if kind and lookup(name) is not None else None


def getattr_(op: GetAttr, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.object)
    if not fact.types:
        return (NEVER,), fx.QUIET
    if fact.only(MODULE) and fact.name:
        found = module_attribute(op, fact, op.attribute, env)
        if found is not None:
            return (found,), fx.QUIET if found.name else fx.OBJECTS
        # A module's __getattr__ may be the program's own.
        return (OBJECT,), fx.ANYTHING
    external = external_attribute(op, fact, op.attribute, env)
    if external is not None:
        return external
    if len(atoms_of(fact.types)) == 1 and fact.types & INERT:
        return (OBJECT,), fx.RAISES | fx.ALLOCATES | fx.OBJECTS
    env.note(op, reasons.ATTRIBUTE)
    return (env.module.attribute_fact(op.attribute, env),), fx.ANYTHING


def setattr_(op: SetAttr | DelAttr, env: FunctionAnalysis) -> Answer:
    env.note(op, reasons.ATTRIBUTE)
    if isinstance(op, SetAttr):
        env.module.attribute_stored(op.attribute, env.fact(op.value).plain())
    return (), fx.ANYTHING | fx.WRITES


TABLE = {GetAttr: getattr_, SetAttr: setattr_, DelAttr: setattr_}
__all__ = ["TABLE", "method_name", "module_attribute", "unknown"]
