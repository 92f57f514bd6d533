"""Versions of a function: which there are, which of them calls reach, and where they end."""

from __future__ import annotations

import pytest
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import ModuleFacts, analyze, check
from ppy_compiler.infer.keys import function_keys
from ppy_compiler.infer.versions import MOST_VERSIONS
from ppy_compiler.support.source import Source

ADD = "def add(a, b):\n    return a + b\n\n\n"


def facts_of(text: str) -> ModuleFacts:
    return analyze(build_module(Source.from_text(text, "t.py"), "t"))


def versions(text: str, sym: str) -> dict[str, str]:
    """The versions of ``sym`` with the type of their result."""
    return {version.version: version.returns.kind for version in facts_of(text).versions(sym)}


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ("add(1, 2)\nadd(3, 4)", {"": "int"}),
        ("add(1, 2)\nadd(1.0, 2.0)", {"[int,int]": "int", "[float,float]": "float"}),
        ("add(1, 2)\nadd(True, False)", {"[int,int]": "int", "[bool,bool]": "int"}),
        ("add(1, 2)\nadd(1, input())", {"[int,int]": "int", "[int,str]": "object"}),
        ("add(1, 2)\nadd(None, [])", {"[int,int]": "int", "[none,list]": "object"}),
        ("add((1,), ())\nadd((1.0,), ())", {"[tuple[int],tuple]": "tuple", "[tuple[float],tuple]": "tuple"}),
        ("for x in (1, 2.0):\n    add(x, 1)\nadd(1, 1)", {"[object,int]": "object", "[int,int]": "int"}),
    ],
)
def test_kinds(calls: str, found: dict[str, str]) -> None:
    assert versions(ADD + calls + "\n", "add") == found


def test_ranges_and_constants_make_no_versions() -> None:
    assert list(versions(ADD + "add(1, 2)\nadd(2**40, 3)\nadd('a', 'b')\nadd('c', 'd')\n", "add")) == [
        "[int,int]",
        "[str,str]",
    ]


def test_annotated_parameters_have_one() -> None:
    text = "def f(a: int, b):\n    return b\n\n\nf(1, 2)\nf(True, 2)\nf(1, 2.5)\n"
    assert versions(text, "f") == {"[int]": "int", "[float]": "float"}


def test_the_cap_joins() -> None:
    values = ["1", "1.0", "'a'", "None", "True", "[]"]
    text = "def same(x):\n    return x\n\n\n" + "".join(f"same({value})\n" for value in values)
    assert len(values) > MOST_VERSIONS
    assert versions(text, "same") == {"": "object"}


def test_calls_reach_the_version_they_proved() -> None:
    text = ADD + "def twice(x):\n    return add(x, x)\n\n\nprint(twice(1), twice(1.5))\n"
    facts = facts_of(text)
    reached = {v.version: {t.version for t in v.calls.values()} for v in facts.versions("twice")}
    assert reached == {"[int]": {"add[int,int]"}, "[float]": {"add[float,float]"}}


def test_versions_that_no_call_reaches_in_the_end_are_gone() -> None:
    """The first turn of the loop passes an integer, as far as is known when it is first looked at."""
    text = ADD + "def f(n: int):\n    t = 0\n    for _ in range(n):\n        t = add(t, 0.5)\n    return t\n\n\nf(3)\n"
    assert versions(text, "add") == {"": "object"}


@pytest.mark.parametrize("start", ["1", "1.0", "True", "()"])
def test_recursion_ends(start: str) -> None:
    text = (
        "def even(n, x):\n    return x if n <= 0 else odd(n - 1, (x,))\n\n\n"
        "def odd(n, x):\n    return x if n <= 0 else even(n - 1.0, [x])\n\n\n"
        f"even(3, {start})\nodd(2, {start})\n"
    )
    facts = facts_of(text)
    assert all(1 <= len(facts.versions(sym)) <= MOST_VERSIONS for sym in ("even", "odd"))
    targets = {t.version for sym in ("even", "odd") for v in facts.versions(sym) for t in v.calls.values() if t.version}
    assert targets <= {v.key for sym in ("even", "odd") for v in facts.versions(sym)}


def test_what_the_checker_says_is_said_once() -> None:
    text = "def f(x):\n    undefined_name(x)\n    return x.attribute\n\n\nf(1)\nf(1.0)\n"
    source = Source.from_text(text, "t.py")
    module = build_module(source, "t")
    facts = analyze(module)
    assert len(facts.versions("f")) == 2
    places = [(found.code, found.span) for found in check(module, facts, source)]
    assert len(places) == len(set(places))
    assert sum(code.startswith("E") for code, _ in places) == 1


def test_the_same_twice() -> None:
    text = ADD + "def g(x):\n    return add(x, 1)\n\n\ng(1)\ng(2.0)\nadd('a', 'b')\n"
    source = Source.from_text(text, "t.py")
    first, second = (function_keys(analyze(build_module(source, "t")), source) for _ in range(2))
    assert first == second
    assert {key for key in first if key.startswith("add")} == {"add[int,int]", "add[float,int]", "add[str,str]"}


def test_a_version_more_changes_no_other_key() -> None:
    text = ADD + "add(1, 2)\nadd('a', 'b')\n"
    before, after = (
        function_keys(facts_of(version), Source.from_text(version, "t.py"))
        for version in (text, text + "add(1.0, 2.0)\n")
    )
    assert after.keys() - before.keys() == {"add[float,float]"}
    assert {key for key in before if before[key] != after[key]} == {"<module>"}
