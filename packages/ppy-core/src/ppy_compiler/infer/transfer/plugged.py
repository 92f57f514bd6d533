"""Calls and attributes of libraries that a plugin models.

A name that a plugin claims is an unknown object that knows how the library calls it (``Fact.name``), so that a call of
it, however it was imported, can be asked about. What the plugin answers is a type, believed behind a guard on the value
itself. To lowering such a call may do anything: nothing keeps the program from rebinding the library's function. The
declared effects are for the checker, which finds them, like the reason of a call that is left to CPython or certain to
fail, in ``FunctionFacts.plugged``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import reasons
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import ANY_OBJECT
from ppy_compiler.infer.display import show
from ppy_compiler.infer.facts import OBJECT, Fact, replace
from ppy_compiler.infer.transfer.loads import loaded
from ppy_compiler.models import lookup
from ppy_compiler.plugins.interface import CallModel, CallSite
from ppy_compiler.plugins.specs import IntrinsicSpec

if TYPE_CHECKING:
    from ppy_compiler.dialects.py.calls import Call, CallMethod
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer


def claimed(name: str, env: FunctionAnalysis) -> bool:
    """Whether a plugin models the module ``name``."""
    return env.module.plugins.claiming(name) is not None


def plugged_attribute(module: str, attribute: str, env: FunctionAnalysis) -> Fact:
    """An attribute of a module that a plugin models."""
    name = f"{module}.{attribute}"
    model = env.module.plugins.attribute_type(name)
    if model is None:
        return replace(OBJECT, name=name)
    fact = loaded(annotation_fact(model.type))
    return OBJECT if fact.types & ANY_OBJECT == ANY_OBJECT else fact


def plugged_call(op: Call | CallMethod, callee: Fact, facts: list[Fact], env: FunctionAnalysis) -> Answer | None:
    """A call of something that a plugin models, or ``None``."""
    env.plugged.pop(op, None)
    if not callee.name or not claimed(callee.name, env):
        return None
    types = [show(fact, ranges_too=False) for fact in facts]
    plain = len(types) - len(op.kwnames)
    site = CallSite(callee.name, tuple(types[:plain]), tuple(zip(op.kwnames, types[plain:], strict=True)))
    model = env.module.plugins.call(site)
    if model is None:
        return None
    env.plugged[op] = model
    env.note(op, reasons.UNMODELLED)
    return (loaded(_result(model)),), fx.ANYTHING


def _result(model: CallModel) -> Fact:
    """The declared result; of an intrinsic that declares none, the result of the function it stands for."""
    text = model.returns
    if text == "object" and isinstance(model.lowering, IntrinsicSpec):
        entry = lookup(model.lowering.function)
        text = entry.signatures[0].returns if entry is not None and entry.signatures else text
    fact = annotation_fact(text)
    return OBJECT if not fact.types or fact.types & ANY_OBJECT == ANY_OBJECT else fact
