"""Calls: of functions of the module through their summaries, of modelled builtins through their models, of anything
else as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.calls import Call, CallEx, CallMethod, LoadMethod, LoadSuper
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import reasons
from ppy_compiler.infer.atoms import BUILTIN, CLASS, FUNCTION, INERT, MODULE, NULL, atoms_of
from ppy_compiler.infer.facts import NEVER, OBJECT, UNBOUND, Fact, named, of_types
from ppy_compiler.infer.lattice import without
from ppy_compiler.infer.results import CallTarget
from ppy_compiler.infer.transfer.external import external_method, is_external
from ppy_compiler.infer.transfer.functions import BUILD_CLASS
from ppy_compiler.infer.transfer.modelled import call_model
from ppy_compiler.infer.transfer.names import unknown
from ppy_compiler.infer.transfer.objects import method_name, module_attribute
from ppy_compiler.infer.transfer.plugged import plugged_call
from ppy_compiler.ir import Operation, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

RECEIVER = of_types(OBJECT.types | NULL)


def _general(op: Operation, env: FunctionAnalysis) -> Answer:
    env.note(op, reasons.UNMODELLED)
    return (OBJECT,), fx.ANYTHING


def _dispatch(op: Call | CallMethod, callee: Fact, values: list[Value], env: FunctionAnalysis) -> Answer:
    """A call whose callee has fact ``callee``; ``values`` are all its arguments, a method's receiver included."""
    env.calls.pop(op, None)
    facts = [env.fact(value) for value in values]
    if not callee.types or not all(fact.types for fact in facts):
        return (NEVER,), fx.QUIET
    if callee.only(FUNCTION) and callee.name:
        return _function(op, callee, values, facts, env)
    if callee.only(BUILTIN) and callee.name == BUILD_CLASS:
        return (_class(facts, op.kwnames),), fx.ANYTHING
    if callee.only(BUILTIN | CLASS) and callee.name:
        answer = call_model(op, callee.name, values, facts, env, callee.depends)
        if answer is not None:
            return answer
    plugged = plugged_call(op, callee, values, facts, env)
    return plugged if plugged is not None else _general(op, env)


def _function(
    op: Call | CallMethod, callee: Fact, values: list[Value], facts: list[Fact], env: FunctionAnalysis
) -> Answer:
    found = env.module.call(callee.name, facts, op, env)
    if found is None:
        return _general(op, env)
    binding = found.binding
    env.module.grow_arguments(found, values, env)
    simple = not binding.extra and not binding.named
    func = env.module.functions[callee.name].func
    arguments = binding.slots if simple and not func.vararg and not func.kwarg else ()
    env.calls[op] = CallTarget("function", callee.name, callee.depends, arguments, version=found.version)
    if func.native:
        env.note(op, reasons.UNMODELLED)
    return (found.result,), found.effects | fx.RAISES


def _class(facts: list[Fact], kwnames: tuple[str, ...]) -> Fact:
    """A class statement: the class is a plain one of the module when nothing but ``object`` stands behind it."""
    body = facts[0] if facts else OBJECT
    if len(facts) == 2 and not kwnames and body.only(FUNCTION) and body.name:
        return named(CLASS, body.name)
    return OBJECT


def call(op: Call, env: FunctionAnalysis) -> Answer:
    return _dispatch(op, env.fact(op.callee), list(op.args), env)


def load_method(op: LoadMethod, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.object)
    if not fact.types:
        return (NEVER, NEVER), fx.QUIET
    if fact.only(MODULE) and fact.name:
        found = module_attribute(op, fact, op.attribute, env)
        return ((found, UNBOUND), fx.QUIET) if found is not None else ((OBJECT, RECEIVER), fx.ANYTHING)
    if is_external(fact):
        return external_method(fact, op.attribute)
    model = method_name(fact, op.attribute)
    if model is not None:
        return (named(BUILTIN, model), fact.plain()), fx.OBJECTS
    if len(atoms_of(fact.types)) == 1 and fact.types & INERT:
        return (OBJECT, RECEIVER), fx.RAISES | fx.OBJECTS | fx.ALLOCATES
    env.note(op, reasons.ATTRIBUTE)
    return (OBJECT, RECEIVER), fx.ANYTHING


def call_method(op: CallMethod, env: FunctionAnalysis) -> Answer:
    method, receiver = env.fact(op.method), env.fact(op.receiver)
    values = list(op.args)
    if (method.only(BUILTIN) and method.name.count(".") == 2) or (is_external(without(receiver, NULL)) and method.name):
        values.insert(0, op.receiver)
    elif receiver.types != NULL:
        if not receiver.types or not method.types:
            return (NEVER,), fx.QUIET
        env.calls.pop(op, None)
        return _general(op, env)
    return _dispatch(op, method, values, env)


def call_ex(op: CallEx, env: FunctionAnalysis) -> Answer:
    callee = env.fact(op.callee)
    if not callee.types:
        return (NEVER,), fx.QUIET
    if callee.only(FUNCTION) and callee.name:
        env.module.called_somehow(callee.name)
    return _general(op, env)


TABLE = {Call: call, LoadMethod: load_method, CallMethod: call_method, CallEx: call_ex, LoadSuper: unknown}
