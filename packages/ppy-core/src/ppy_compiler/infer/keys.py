"""Keys for reuse by function: what a function's facts, and so its code, follow from.

Inference is a function of a function's own text and of what it sees of others: its callers' arguments, the globals,
cells and attributes it
reads, its callees' summaries. Two runs in which all of that is the same give the same facts, so the rest of the
module may change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ppy_compiler.dialects.py.calls import LoadMethod
from ppy_compiler.dialects.py.functions import MakeFunction
from ppy_compiler.dialects.py.names import LoadCell, LoadGlobal
from ppy_compiler.dialects.py.operators import GetAttr
from ppy_compiler.infer.facts import Fact
from ppy_compiler.infer.results import FunctionFacts, ModuleFacts, stable_text, summary_key
from ppy_compiler.ir.printer import print_op
from ppy_compiler.support.fingerprints import fingerprint
from ppy_compiler.support.source import Source

READS = (LoadGlobal, LoadCell, GetAttr, LoadMethod)
SPAN = re.compile(r" @ \d+:\d+-\d+:\d+$", re.MULTILINE)


def function_keys(facts: ModuleFacts, source: Source) -> dict[str, str]:
    """The key of every version of every function of the module, by its own ``key``. Where a function stands in the
    file is not part of it."""
    versions = [version for sym in facts.functions for version in facts.versions(sym)]
    summaries = {version.key: summary_key(version) for version in versions}
    for sym, several in facts.several.items():
        summaries[sym] = fingerprint(*(summaries[version.key] for version in several))
    return {version.key: _key(version, source, summaries) for version in versions}


def _key(function: FunctionFacts, source: Source, summaries: Mapping[str, str]) -> str:
    func = function.func
    if func.kind == "module" or func.span is None:
        text = SPAN.sub("", print_op(func))
    else:
        text = source.excerpt(func.span)
    return fingerprint(func.sym, func.qualname, text, summaries[function.key], tuple(_seen(function, summaries)))


def _seen(function: FunctionFacts, summaries: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    """What the function's analysis saw of the rest of the module, in the order of its operations."""
    for block in function.func.body.blocks:
        for op in block.ops:
            if isinstance(op, READS):
                yield tuple(_text(function.values.get(result)) for result in op.results)
            elif isinstance(op, MakeFunction):
                yield (summaries.get(op.func, ""),)
            elif (target := function.calls.get(op)) is not None:
                called = summaries.get(target.version, "") if target.kind == "function" else ""
                yield (target.kind, target.name, called, target.overload, tuple(sorted(target.depends)), target.through)
            if op in function.plugged:
                yield (repr(function.plugged[op]),)


def _text(fact: Fact | None) -> tuple[object, ...]:
    return ("unreached",) if fact is None else stable_text(fact)
