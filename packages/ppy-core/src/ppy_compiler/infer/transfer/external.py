"""What plugins know of the instances of their libraries' classes: operators, subscripts, attributes, methods.

The answer of a plugin becomes an operation's facts and effects here, also for calls (``plugged``): behind guards those
that the plugin declares, where lowering will follow it, and otherwise anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace as replace_fields
from typing import TYPE_CHECKING, TypeVar

from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import elements, reasons
from ppy_compiler.infer.atoms import EXTERNAL, NULL
from ppy_compiler.infer.exchange import RESULTS, fact_of, number_of, takes, takes_constant, value_of
from ppy_compiler.infer.facts import OBJECT, Fact, replace
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.models import lookup
from ppy_compiler.plugins.interface import AttributeModel, CallModel, OperationSite
from ppy_compiler.plugins.specs import DialectOperationSpec, DirectCallSpec, ElementSpec, IntrinsicSpec, ScalarSpec
from ppy_compiler.plugins.types import Value as Known

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer
    from ppy_compiler.ir import Operation

T = TypeVar("T")


def asked(op: Operation, env: FunctionAnalysis, question: Callable[[], T]) -> T:
    """The plugin's answer; what is wrong with it is reported at ``op``."""
    try:
        return question()
    except DiagnosticError as error:
        place = replace_fields(error.diagnostic, path=env.module.module.path, span=op.span)
        raise DiagnosticError(place) from error


def answered(
    op: Operation, function: str, model: CallModel, operands: Sequence[Known], facts: list[Fact], env: FunctionAnalysis
) -> Answer:
    lowered = _follows(model, operands, facts)
    env.plugged[op] = PluggedOperation(function, tuple(operands), model, lowered)
    if not lowered:
        env.note(op, reasons.UNMODELLED if function else reasons.LIBRARY)
        return (_result(model),), fx.ANYTHING
    if isinstance(model.lowering, ElementSpec | ScalarSpec):
        return (elements.result(model, facts),), elements.effects(model.lowering)
    assert isinstance(model.lowering, DialectOperationSpec | DirectCallSpec)
    result = RESULTS.get(model.lowering.result)
    return (_result(model) if result is None else result,), _effects(model)


def _follows(model: CallModel, operands: Sequence[Known], facts: list[Fact]) -> bool:
    """Whether lowering can hand over the operands as the spec wants them."""
    match model.lowering:
        case ElementSpec() as spec:
            return elements.follows(spec, facts) and (spec.stores or elements.has_register(model))
        case ScalarSpec() as spec:
            return elements.computes(spec, facts) and elements.has_register(model)
        case DialectOperationSpec(operands=wanted) | DirectCallSpec(parameters=wanted):
            return len(wanted) == len(operands) and all(
                takes(native, facts[value.position])
                if value.position is not None
                else takes_constant(native, value.constant)
                for native, value in zip(wanted, operands, strict=True)
            )
    return False


def _effects(model: CallModel) -> int:
    declared = model.effects
    if declared.runs_code:
        return fx.ANYTHING | fx.WRITES
    bits = fx.OBJECTS if isinstance(model.lowering, DialectOperationSpec) else fx.QUIET
    return bits | (fx.RAISES if declared.raises else 0) | (fx.WRITES | fx.OBJECTS if declared.writes else 0)


def _result(model: CallModel) -> Fact:
    """The declared result; of an intrinsic that declares none, the result of the function it stands for."""
    returns = model.returns
    if returns == "object" and isinstance(model.lowering, IntrinsicSpec):
        entry = lookup(model.lowering.function)
        returns = entry.signatures[0].returns if entry is not None and entry.signatures else returns
    return fact_of(returns)


def is_external(fact: Fact) -> bool:
    """Whether the value is assumed to be an instance of one class that a plugin models."""
    return fact.types == EXTERNAL and fact.external is not None


def external_method(fact: Fact, attribute: str) -> Answer:
    """``x.method`` about to be called: what it is called as, and its receiver."""
    assert fact.external is not None
    method = replace(OBJECT, name=f"{fact.external.name}.{attribute}")
    return (method, replace(fact.plain(), types=fact.types | NULL)), fx.ANYTHING


def external_operation(
    op: Operation, hook: str, kind: str, facts: list[Fact], env: FunctionAnalysis, inplace: bool = False
) -> Answer | None:
    """An operator or a subscript (``hook``) with an operand that a plugin models; ``None``: it does not know it."""
    env.plugged.pop(op, None)
    if not any(is_external(fact) or number_of(fact) for fact in facts):
        return None
    told = tuple(value_of(fact, position) for position, fact in enumerate(facts))
    site = OperationSite(kind, told, inplace)
    model = asked(op, env, lambda: env.module.plugins.operation(hook, site))
    return None if model is None else answered(op, "", model, told, facts, env)


def external_attribute(op: Operation, fact: Fact, attribute: str, env: FunctionAnalysis) -> Answer | None:
    """An attribute of an instance that a plugin models; ``None``: it does not know it."""
    env.plugged.pop(op, None)
    external = fact.external
    if not is_external(fact) or external is None:
        return None
    model: AttributeModel | None = asked(op, env, lambda: env.module.plugins.instance_attribute(external, attribute))
    if model is None:
        return None
    as_call = CallModel(model.type, model.effects, model.lowering)
    return answered(op, "", as_call, (value_of(fact, 0),), [fact], env)
