"""What plugins know of their libraries' own names: calls, attributes, decorators.

A name that a plugin claims is an unknown object that knows how the library calls it (``Fact.name``), so that a call of
it, however it was imported, can be asked about. What the plugin answers is a type, believed behind a guard on the value
itself, and a lowering (``external.answered``). All answers are in ``FunctionFacts.plugged``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import ANY_OBJECT, FUNCTION, MODULE
from ppy_compiler.infer.exchange import fact_of, value_of
from ppy_compiler.infer.facts import OBJECT, Fact, named, replace
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.infer.transfer.external import answered, asked
from ppy_compiler.infer.transfer.modelled import call_model
from ppy_compiler.plugins.interface import CallModel, CallSite
from ppy_compiler.plugins.specs import IntrinsicSpec

if TYPE_CHECKING:
    from ppy_compiler.dialects.py.calls import Call, CallMethod
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer
    from ppy_compiler.ir import Operation, Value


def claimed(name: str, env: FunctionAnalysis) -> bool:
    """Whether a plugin models the module ``name``."""
    return env.module.plugins.claiming(name) is not None


# ---- names of the library


def plugged_attribute(op: Operation, module: Fact, attribute: str, env: FunctionAnalysis) -> Fact | None:
    """An attribute of a module that a plugin models; ``None``: it may not be there, or be made when it is asked for."""
    plugins, name = env.module.plugins, f"{module.name}.{attribute}"
    model = asked(op, env, lambda: plugins.attribute_type(name))
    if model is None:
        alias = asked(op, env, lambda: plugins.alias(name))
        return None if alias is None else replace(OBJECT, name=alias)
    if model.type == "module":
        return named(MODULE, name, module.depends)
    fact = fact_of(model.type)
    return None if fact.types & ANY_OBJECT == ANY_OBJECT else fact


# ---- calls


def plugged_call(
    op: Call | CallMethod, callee: Fact, values: list[Value], facts: list[Fact], env: FunctionAnalysis
) -> Answer | None:
    """A call of something that a plugin models, or ``None``."""
    env.plugged.pop(op, None)
    if not callee.name or callee.types & ANY_OBJECT != ANY_OBJECT or not claimed(callee.name, env):
        return None
    plugins = env.module.plugins
    decorator = asked(op, env, lambda: plugins.decorator(callee.name))
    if decorator is not None and decorator.returns_function and len(facts) == 1 and facts[0].only(FUNCTION):
        return (facts[0].plain(),), fx.ANYTHING
    told = [value_of(fact, position) for position, fact in enumerate(facts)]
    plain = len(told) - len(op.kwnames)
    site = CallSite(callee.name, tuple(told[:plain]), tuple(zip(op.kwnames, told[plain:], strict=True)))
    found = asked(op, env, lambda: plugins.call(site))
    if found is None:
        return None
    adjusted, model = found
    name = model.defined_as or callee.name
    if isinstance(model.lowering, IntrinsicSpec):
        answer = _intrinsic(op, name, model, adjusted, values, facts, env)
        if answer is not None:
            return answer
    return answered(op, name, model, () if adjusted.keywords else adjusted.arguments, facts, env)


def _intrinsic(
    op: Call | CallMethod,
    name: str,
    model: CallModel,
    site: CallSite,
    values: list[Value],
    facts: list[Fact],
    env: FunctionAnalysis,
) -> Answer | None:
    """The call as that of the function it stands for, where its arguments are that function's."""
    assert isinstance(model.lowering, IntrinsicSpec)
    if op.kwnames or [value.position for value in site.arguments] != list(range(len(facts))):
        return None
    answer = call_model(op, model.lowering.function, values, facts, env, through=name)
    if answer is not None:
        env.plugged[op] = PluggedOperation(name, site.arguments, model, lowered=True)
    return answer
