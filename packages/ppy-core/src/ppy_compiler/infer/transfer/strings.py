"""f-strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.strings import BuildString, FormatValue
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import BYTES, COMPLEX, INT, NUMBER, OTHER, STR
from ppy_compiler.infer.facts import of_types

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

TEXT = of_types(STR)


def format_value(op: FormatValue, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    effect = fx.ALLOCATES | fx.OBJECTS
    if not fact.only(NUMBER | COMPLEX | STR | BYTES) or (op.spec is not None and not env.fact(op.spec).only(STR)):
        # format() checks that __format__ gives a str, but a subclass of str passes.
        return (of_types(STR) if fact.exact or op.conversion else of_types(STR | OTHER),), effect | fx.ANYTHING
    return (TEXT,), effect | (fx.QUIET if op.spec is None and not fact.types & INT else fx.RAISES)


def build_string(op: BuildString, env: FunctionAnalysis) -> Answer:
    return (TEXT,), fx.ALLOCATES | fx.OBJECTS


TABLE = {FormatValue: format_value, BuildString: build_string}
