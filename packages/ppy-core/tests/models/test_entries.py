"""Each entry of the models against the function it describes: called with sample arguments, its results have the
promised facts.

The samples come from the parameters' types; a parameter whose values must make sense has its own by name.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ppy_compiler.dialects.py.calls import Call, CallMethod
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import Fact, analyze
from ppy_compiler.infer import effects as fx
from ppy_compiler.models import Entry, Signature, load, modelled_modules
from ppy_compiler.support.source import Source

BY_TYPE = {
    "int": ["0", "3", "-7", "True", "2**70"],
    "float": ["0.0", "2.5", "-1.5", "float('nan')"],
    "str": ["''", "'ab c'", "'3'"],
    "bytes": ["b'ab'"],
    "bytearray": ["bytearray(b'a')"],
    "list": ["[3, 1]", "[]", "['a']"],
    "tuple": ["(1, 2.5)", "()"],
    "dict": ["{'a': 1}"],
    "set": ["{1, 2}"],
    "frozenset": ["frozenset((1,))"],
    "range": ["range(4)"],
    "None": ["None"],
    "bool": ["True"],
    "type": ["int", "(int, str)"],
    "object": ["3", "2.5", "'ab'", "[1, 2]", "(1,)", "None"],
}
BY_NAME = {
    "seconds": ["0"],
    "limit": ["3000"],
    "file": ["'/dev/null'"],
    "mode": ["'r'"],
    "exp": ["2", "0", "-1", "2.5"],
    "byteorder": ["'big'"],
    "encoding": ["'utf-8'"],
    "errors": ["'strict'"],
    "k": ["2"],
    "i": ["3", "65"],
    "n": ["3", "10"],
    "typ": ["int"],
    "iterables": ["[1, 2]"],
    "module": ["'math'"],
    "length": ["9"],
}
NOT_CALLED = {"builtins.input", "builtins.open", "sys.exit", "sys.setrecursionlimit", "builtins.print"}
"""Reads the terminal, ends the program, prints: their results are looked at elsewhere."""
MOST_CALLS = 40


def entries() -> Iterator[Entry]:
    for module in sorted(modelled_modules() - {"ppy", "typing"}):
        model = load(module)
        assert model is not None
        yield from model.entries.values()


def samples(parameter_name: str, annotation: str) -> list[str]:
    if parameter_name in BY_NAME:
        return BY_NAME[parameter_name]
    found: list[str] = []
    for part in annotation.split(" | "):
        found += BY_TYPE.get(part.partition("[")[0], ["None"])
    return found


def arguments(signature: Signature) -> Iterator[tuple[str, ...]]:
    """Some positional argument lists, from the shortest to the longest."""
    slots = [p for p in signature.parameters if p.kind in ("positional", "either")]
    variadic = [p for p in signature.parameters if p.kind == "vararg"]
    lists: list[list[str]] = [samples(p.name, p.annotation) for p in slots]
    shortest = sum(not p.optional for p in slots)
    for count in range(shortest, len(slots) + 1):
        yield from itertools.islice(itertools.product(*lists[:count]), MOST_CALLS)
    if variadic:
        more = samples(variadic[0].name, variadic[0].annotation)
        yield from itertools.islice(itertools.product(*lists, more, more), MOST_CALLS)


def program(entry: Entry, words: tuple[str, ...]) -> str:
    module, _, name = entry.name.partition(".")
    if entry.kind == "method":
        method = name.partition(".")[2]
        call = f"({words[0]}).{method}({', '.join(words[1:])})"
    elif module == "builtins":
        call = f"{name}({', '.join(words)})"
    else:
        call = f"{module}.{name}({', '.join(words)})"
    return (f"import {module}\n" if module != "builtins" else "") + f"result = {call}\n"


def inferred(text: str) -> tuple[Fact, int] | None:
    """Fact and effects of the last call, when a model answered it."""
    facts = analyze(build_module(Source.from_text(text, "t.py"), "t")).functions["<module>"]
    calls = [op for op in facts.calls if isinstance(op, (Call, CallMethod))]
    if not calls:
        return None
    last = max(calls, key=lambda op: (op.span or (0, 0, 0, 0))[2:4])
    return facts.values[last.results[0]], facts.op_effects[last]


@pytest.mark.parametrize("entry", [e for e in entries() if e.kind != "constant"], ids=lambda e: e.name)
def test_entry(entry: Entry, contains: Callable[[Fact, object], bool]) -> None:
    assert entry.signatures, f"{entry.name} has no signature"
    if entry.name in NOT_CALLED:
        return
    answered = 0
    for signature in entry.signatures:
        for words in arguments(signature):
            text = program(entry, words)
            found = inferred(text)
            if found is None:
                continue
            answered += 1
            fact, effects = found
            namespace: dict[str, Any] = {}
            try:
                exec(text, namespace)
            except Exception:
                raised = True
            else:
                raised = False
            if raised:
                assert effects & fx.RAISES, text
            else:
                value = namespace["result"]
                wide = Fact(fact.types, *fact.wide_range) if fact.wide is not None else fact
                # What only a guard establishes may be otherwise: the twin goes on then.
                assert contains(wide, value) or (fact.guarded and fact.wide is None), (text, str(fact), value)
    assert answered, f"no sample call of {entry.name} was answered by its model"


@pytest.mark.parametrize("entry", [e for e in entries() if e.kind == "constant"], ids=lambda e: e.name)
def test_constant(entry: Entry, contains: Callable[[Fact, object], bool]) -> None:
    module, _, name = entry.name.partition(".")
    facts = analyze(build_module(Source.from_text(f"import {module}\nresult = {entry.name}\n", "t.py"), "t"))
    value = getattr(importlib.import_module(module), name)
    assert contains(facts.globals["result"], value)


def real(entry: Entry) -> Any:
    module, _, name = entry.name.partition(".")
    found: Any = builtins if module == "builtins" else importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("entry", [e for e in entries() if e.kind != "constant"], ids=lambda e: e.name)
def test_exists_with_these_counts(entry: Entry) -> None:
    """The checker reports wrong argument counts from the models, so no count that CPython takes may be missing."""
    function = real(entry)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = [s.most for s in entry.signatures]
    if any(p.kind == p.VAR_POSITIONAL for p in parameters):
        assert None in most, "CPython takes any number"
    elif None not in most:
        assert max(m for m in most if m is not None) >= len(positional)
    required = sum(p.default is p.empty for p in positional)
    assert min(s.required for s in entry.signatures) <= required
