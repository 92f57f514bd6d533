"""Calls: argument counts, argument types against annotations, what cannot be called."""

from __future__ import annotations

from ppy_compiler.diagnostics.codes import types as codes
from ppy_compiler.dialects.py.calls import Call, CallMethod
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import ANY_OBJECT, BOOL, BUILTIN, CLASS, COMPLEX, FLOAT, FUNCTION, INT, NULL, OTHER
from ppy_compiler.infer.binding import Defaults, bind, signature_text
from ppy_compiler.infer.checker.context import View, shown
from ppy_compiler.infer.checker.operations import SAMPLES
from ppy_compiler.infer.facts import Fact
from ppy_compiler.ir import Value
from ppy_compiler.models import Entry, Parameter, lookup
from ppy_compiler.plugins.specs import RejectSpec


def admits(declared: Fact, actual: Fact) -> bool:
    """Whether a value of ``actual`` can be what ``declared`` promises, by typing's rules (an ``int`` will do for a
    ``float``)."""
    if declared.types & OTHER or declared.types & ANY_OBJECT == ANY_OBJECT:
        return True
    accepted = declared.types
    if accepted & COMPLEX:
        accepted |= FLOAT
    if accepted & FLOAT:
        accepted |= INT
    if accepted & INT:
        accepted |= BOOL
    return bool(accepted & actual.types)


def call(op: Call | CallMethod, view: View) -> None:
    callee_value = op.callee if isinstance(op, Call) else op.method
    callee = view.fact(callee_value)
    plugged = view.function.plugged.get(op)
    if plugged is not None and isinstance(plugged.model.lowering, RejectSpec):
        view.report(codes.REJECTED_CALL, op, reason=plugged.model.lowering.reason)
    elif callee.only(FUNCTION) and callee.name and (isinstance(op, Call) or view.fact(op.receiver).only(NULL)):
        _function(op, view, callee.name)
    elif callee.only(BUILTIN | CLASS) and callee.name.count(".") == 1 and op not in view.function.calls:
        _modelled(op, view, callee)
    elif (
        isinstance(op, Call)
        and view.certain(op.callee)
        and callee.types
        and all(atom in SAMPLES for atom in [1 << n for n in range(callee.types.bit_length()) if callee.types >> n & 1])
    ):
        view.report(codes.NOT_CALLABLE, op, type=shown(callee))


def _function(op: Call | CallMethod, view: View, sym: str) -> None:
    facts = view.context.facts
    func = facts.functions[sym].func
    defaults = facts.defaults.get(sym, Defaults(known=False))
    binding = bind(func, defaults, len(op.args), op.kwnames)
    if binding.problem:
        view.report(codes.CALL_ARGUMENTS, op, problem=binding.problem, signature=signature_text(func, defaults))
        return
    annotations = dict(func.annotations)
    for name, slot in zip(func.params, binding.slots, strict=False):
        if slot is not None and name in annotations:
            _argument(op, view, func.qualname, name, facts.annotation(annotations[name]), op.args[slot])


def _argument(op: Call | CallMethod, view: View, function: str, name: str, declared: Fact, value: Value) -> None:
    actual = view.fact(value)
    if view.certain(value) and not admits(declared, actual):
        view.report(
            codes.ARGUMENT_TYPE,
            op,
            function=f"{function}()",
            parameter=name,
            expected=shown(declared),
            actual=shown(actual),
        )


def _modelled(op: Call | CallMethod, view: View, callee: Fact) -> None:
    """A call of a modelled builtin that fits none of its overloads by its number of arguments."""
    entry = lookup(callee.name)
    if entry is None or op.kwnames or not entry.signatures:
        return
    count = len(op.args)
    if any(s.required <= count and (s.most is None or count <= s.most) for s in entry.signatures):
        return
    short = callee.name.removeprefix("builtins.")
    least = min(s.required for s in entry.signatures)
    most = max((s.most or 0) for s in entry.signatures)
    takes = str(least) if least == most else f"{least} to {most}"
    problem = f"`{short}()` takes {takes} argument{'' if takes == '1' else 's'}, not {count}"
    view.report(codes.CALL_ARGUMENTS, op, problem=problem, signature=model_signature(short, entry))


def model_signature(name: str, entry: Entry) -> str:
    """The last, most general overload as text."""
    return f"{name}({', '.join(map(_shown_parameter, entry.signatures[-1].parameters))})"


def _shown_parameter(parameter: Parameter) -> str:
    star = {"vararg": "*", "kwarg": "**"}.get(parameter.kind, "")
    return f"{star}{parameter.name}" + (" = ..." if parameter.optional and not star else "")


RULES = {Call: call, CallMethod: call}
__all__ = ["RULES", "admits", "annotation_fact"]
