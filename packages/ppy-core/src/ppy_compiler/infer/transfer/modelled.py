"""Calls of modelled builtins: choose the overload that fits the arguments' facts, take its declared result and
effects, refine by rule."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ppy_compiler.infer import effects as fx
from ppy_compiler.infer import elements, reasons
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import ANY_OBJECT, BOOL, INT, SCALAR
from ppy_compiler.infer.facts import NO_GLOBALS, OBJECT, Fact, replace
from ppy_compiler.infer.results import CallTarget
from ppy_compiler.infer.transfer.loads import in_word
from ppy_compiler.infer.transfer.rules import RULES, Site
from ppy_compiler.ir import Value
from ppy_compiler.models import Signature, lookup

if TYPE_CHECKING:
    from ppy_compiler.dialects.py.calls import Call, CallMethod
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

EFFECTS = {
    "pure": fx.QUIET,
    "reads": fx.OBJECTS,
    "writes": fx.WRITES | fx.OBJECTS,
    "io": fx.IO | fx.OBJECTS,
    "runs": fx.ANYTHING,
}


@lru_cache(maxsize=512)
def accepted(annotation: str) -> int:
    """The atoms that a model's parameter takes; ``int`` takes ``bool`` too."""
    types = annotation_fact(annotation).types
    return types | BOOL if types & INT else types


def fit(signature: Signature, facts: list[Fact], kwnames: tuple[str, ...]) -> dict[str, Fact] | None:
    """The arguments by parameter name (``*`` for the variadic ones joined by position), or ``None`` when they do not
    fit."""
    plain = len(facts) - len(kwnames)
    if plain < 0:
        return None
    slots = [p for p in signature.parameters if p.kind in ("positional", "either")]
    found: dict[str, Fact] = {}
    variadic = next((p for p in signature.parameters if p.kind == "vararg"), None)
    for index in range(plain):
        parameter = slots[index] if index < len(slots) else variadic
        if parameter is None or facts[index].types & ~accepted(parameter.annotation):
            return None
        if index < len(slots):
            found[parameter.name] = facts[index]
    by_name = {p.name: p for p in signature.parameters if p.kind in ("either", "keyword")}
    takes_any = any(p.kind == "kwarg" for p in signature.parameters)
    for name, fact in zip(kwnames, facts[plain:], strict=True):
        named = by_name.get(name)
        if named is None:
            if takes_any:
                continue
            return None
        if name in found or fact.types & ~accepted(named.annotation):
            return None
        found[name] = fact
    if any(p.name not in found and not p.optional for p in signature.parameters if p.kind not in ("vararg", "kwarg")):
        return None
    return found


def call_model(
    op: Call | CallMethod,
    name: str,
    values: list[Value],
    facts: list[Fact],
    env: FunctionAnalysis,
    depends: frozenset[str] = NO_GLOBALS,
    through: str = "",
) -> Answer | None:
    """The answer of the modelled callee, or ``None`` when there is no model or no overload fits. ``through``: it is the
    library's function of that name that stands for it; then only what native code does itself will do."""
    entry = lookup(name)
    if entry is None:
        return None
    chosen = elements.one_of_them(name, facts) if not op.kwnames else None
    if chosen is not None:
        env.calls[op] = CallTarget("model", name, depends, (), 0, through)
        return (chosen,), fx.OBJECTS
    facts = elements.as_python(name, facts)
    for index, signature in enumerate(entry.signatures):
        arguments = fit(signature, facts, op.kwnames)
        if arguments is None:
            continue
        declared = annotation_fact(signature.returns)
        site = Site(op, values, facts, arguments, declared, env)
        result = declared
        if signature.result:
            refined = RULES[signature.result](site)
            if refined is None:
                continue
            result = refined
        if not result.types:
            # Always raises: what follows is not reached, but nothing stops there without a proof in the twin.
            result = OBJECT
        if through and (signature.rung == "python" or signature.effects != "pure"):
            return None
        env.calls[op] = CallTarget("model", name, depends, (), index, through)
        if signature.rung == "python":
            env.note(op, reasons.UNMODELLED)
        return (_settled(result),), _effects(signature, facts, result)
    return None


def _settled(result: Fact) -> Fact:
    result = in_word(result)
    if result.depends:
        result = replace(result, depends=NO_GLOBALS)
    return OBJECT if result.types & ANY_OBJECT == ANY_OBJECT and not result.name else result


def _effects(signature: Signature, facts: list[Fact], result: Fact) -> int:
    bits = fx.QUIET
    for effect in signature.effects.split("+"):
        bits |= EFFECTS[effect]
    if signature.raises:
        bits |= fx.RAISES
    scalars = all(fact.only(SCALAR) for fact in facts)
    if signature.rung == "python" or not scalars or not result.only(SCALAR):
        bits |= fx.OBJECTS
    if not result.only(SCALAR) and signature.effects == "pure":
        bits |= fx.ALLOCATES
    return bits
