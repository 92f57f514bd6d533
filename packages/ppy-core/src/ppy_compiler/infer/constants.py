"""What tells the versions of a function apart that asks for them with ``@ppy.specialize``, beside kinds: constants that
calls pass, and the lengths of tuples.

A constant is one in the text: a literal, a number that a module-level name is bound to once, a parameter that is a
constant in the caller's own version. Only of such a value is it certain in native code that it is the very one, because
the code makes it or compares it; a fact that is computed from others is no reason to leave a comparison out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.names import Const, LoadGlobal
from ppy_compiler.infer import ranges
from ppy_compiler.infer.annotations import entry_checked
from ppy_compiler.infer.atoms import NONE, NUMBER, TUPLE
from ppy_compiler.infer.facts import OBJECT, Fact, Literal, replace, tuple_of
from ppy_compiler.infer.facts import constant as constant_fact
from ppy_compiler.infer.lattice import meet
from ppy_compiler.ir import BlockArgument, Operation, OpResult, Value

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis

MOST_SPECIALIZED = 8
"""Versions of one function with constants; other calls reach the version for the kinds of their arguments."""
LONGEST = 16
"""Items of a tuple, and a quarter of the characters of a text, that make a version."""

Constant = Literal | int
"""A scalar or a text, or the length of a tuple."""
Constants = Mapping[int, Constant]
"""By the position of the parameter."""


def passed_constants(
    op: Operation, slots: Sequence[int | None], declared: Sequence[Fact | None], env: FunctionAnalysis
) -> dict[int, Constant]:
    """The constants that the call ``op`` passes, where they keep what the parameter's annotation promises."""
    found: dict[int, Constant] = {}
    if not isinstance(op, Call):
        return found
    for index, slot in enumerate(slots):
        constant = None if slot is None else _constant(op.args[slot], env)
        if constant is not None and _says_more(constant, declared[index]):
            found[index] = constant
    return found


def parameter(constant: Constant, declared: Fact | None) -> Fact | None:
    """The parameter of a version in which it is ``constant``; ``None`` where its callers say more."""
    if isinstance(constant, Literal):
        return replace(constant_fact(constant.value), guarded=True)
    if declared is None:
        return None
    item = declared.element if declared.element is not None else OBJECT
    return replace(entry_checked(tuple_of((item,) * constant)), guarded=True)


def constants_text(constants: Constants, names: Sequence[str]) -> list[str]:
    """The constants as parts of a symbol: ``n=3``, ``len(t)=2``."""
    return [
        f"{names[index]}={found.value!a}" if isinstance(found, Literal) else f"len({names[index]})={found}"
        for index, found in constants.items()
    ]


def _constant(value: Value, env: FunctionAnalysis) -> Constant | None:
    fact = env.facts.get(value)
    if fact is None:
        return None
    if fact.types == TUPLE:
        return len(fact.items) if fact.items is not None and len(fact.items) <= LONGEST else None
    literal = fact.literal
    if literal is None or not _is_written(value, fact, env):
        return None
    match literal.value:
        case bool() | None:
            return literal
        case int(number):
            return literal if ranges.within((number, number), ranges.I64) else None
        case float(number):
            return literal if number == number else None  # of NaN there are many
        case str(text):
            return literal if len(text) <= 4 * LONGEST else None
    return None


def _is_written(value: Value, fact: Fact, env: FunctionAnalysis) -> bool:
    if isinstance(value, BlockArgument):
        version = env.module.versions.get(env.key)
        position = env.func.body.entry.args.index(value) if value.block is env.func.body.entry else -1
        return version is not None and version.constants.get(position) == fact.literal
    if isinstance(value, OpResult) and isinstance(value.op, LoadGlobal):
        return fact.only(NUMBER)  # compared at each load
    return isinstance(value, OpResult) and isinstance(value.op, Const)


def _says_more(constant: Constant, declared: Fact | None) -> bool:
    """Whether it is what the annotation promises, and more than its kind tells."""
    if isinstance(constant, int):
        return declared is None or (declared.items is None and declared.only(TUPLE))
    if declared is None or declared.only(NONE):
        return declared is None and constant.value is not None
    fact = constant_fact(constant.value)
    both = meet(declared, fact)
    return both.types == fact.types and both.literal == fact.literal

