"""Structural pattern matching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.matching import Length, MatchClass, MatchKeys, MatchMapping, MatchSequence
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import DICT, EXTERNAL, INSTANCE, LIST, NONE, OTHER, RANGE, TUPLE
from ppy_compiler.infer.facts import NEVER, Fact, boolean, of_types
from ppy_compiler.infer.transfer.comparisons import SIZED
from ppy_compiler.infer.transfer.lengths import length_range

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

SEQUENCES = TUPLE | LIST | RANGE


def _decide(fact: Fact, yes: int) -> Fact:
    if fact.only(yes):
        return boolean(1, 1)
    return boolean() if fact.types & (yes | OTHER | INSTANCE | EXTERNAL) else boolean(0, 0) if fact.types else NEVER


def sequence(op: MatchSequence, env: FunctionAnalysis) -> Answer:
    return (_decide(env.fact(op.subject), SEQUENCES),), fx.QUIET


def mapping(op: MatchMapping, env: FunctionAnalysis) -> Answer:
    return (_decide(env.fact(op.subject), DICT),), fx.QUIET


def match_class(op: MatchClass, env: FunctionAnalysis) -> Answer:
    return (of_types(TUPLE | NONE),), fx.ANYTHING


def match_keys(op: MatchKeys, env: FunctionAnalysis) -> Answer:
    return (of_types(TUPLE | NONE),), fx.ANYTHING


def length(op: Length, env: FunctionAnalysis) -> Answer:
    fact = env.fact(op.argument)
    if not fact.types:
        return (NEVER,), fx.QUIET
    return (length_range(fact),), fx.OBJECTS if fact.only(SIZED) else fx.ANYTHING


TABLE = {MatchSequence: sequence, MatchMapping: mapping, MatchClass: match_class, MatchKeys: match_keys, Length: length}
