"""Versions for constants: which calls make one, what is known in it, and that there is always one without."""

from __future__ import annotations

import pytest
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import FunctionFacts, ModuleFacts, analyze
from ppy_compiler.infer.constants import MOST_SPECIALIZED
from ppy_compiler.infer.keys import function_keys
from ppy_compiler.support.source import Source
from ppy_runtime import binding

PAIR = "import ppy\n\n\n@ppy.specialize\ndef f(x: int, y):\n    return x, y\n\n\n"


def facts_of(text: str) -> ModuleFacts:
    return analyze(build_module(Source.from_text(text, "t.py"), "t"))


def versions(text: str, sym: str = "f") -> dict[str, FunctionFacts]:
    return {version.version: version for version in facts_of(text).versions(sym)}


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ("f(1, 2)", {"[int]", "[int,x=1,y=2]"}),
        ("f(1, 2)\nf(1, 2)\nf(1, 3)", {"[int]", "[int,x=1,y=2]", "[int,x=1,y=3]"}),
        ("f(-1, 2.0)", {"[float]", "[float,x=-1,y=2.0]"}),
        ("f(1, 0.0)\nf(1, -0.0)\nf(1, 0)", {
            "[float]", "[int]", "[float,x=1,y=0.0]", "[float,x=1,y=-0.0]", "[int,x=1,y=0]",
        }),
        ("f(True, 1)", {"[int]", "[int,y=1]"}),
        ("f(1.0, None)", {""}),
        ("f(2**70, 2**70)", {""}),
        ("f(1, 'a')\nf(1, 'a')", {"[str]", "[str,x=1,y='a']"}),
        (f"f(1, {'a' * 65!r})", {"[str]", "[str,x=1]"}),
        ("f(1, 1e308 * 10 - 1e308 * 10)", {"[float]", "[float,x=1]"}),
        ("f(1, ())\nf(1, (1, 2))\nf(1, (1, []))", {
            "[tuple]", "[tuple[int,int]]", "[tuple,x=1,len(y)=0]", "[tuple[int,int],x=1]", "[tuple,x=1,len(y)=2]",
        }),
        ("N = 7\nf(N, 1)", {"[int]", "[int,x=7,y=1]"}),
        ("n = 7\nn = n + 1\nf(n, 1)", {"[int]", "[int,x=8,y=1]"}),
        ("for k in range(3):\n    f(k, k + 1)", {""}),
        ("f(y=2, x=1)", {"[int]", "[int,x=1,y=2]"}),
    ],
)  # fmt: skip
def test_constants(calls: str, found: set[str]) -> None:
    assert set(versions(PAIR + calls + "\n")) == found


def test_only_functions_that_ask() -> None:
    assert set(versions(PAIR.replace("@ppy.specialize", "@ppy.inline") + "f(1, 2)\nf(3, 4)\n")) == {""}


@pytest.mark.parametrize(("promise", "found"), [("int", True), ("float", False), ("ppy.u8", False), ("object", True)])
def test_a_constant_keeps_what_the_annotation_promises(promise: str, found: bool) -> None:
    text = f"import ppy\n\n\n@ppy.specialize\ndef f(x: {promise}):\n    return x\n\n\nf(300)\n"
    assert ("[x=300]" in versions(text)) is found


def test_what_is_known() -> None:
    text = (
        "import ppy\n\n\n@ppy.specialize\ndef f(x: int, m: int, how: str, t: tuple[float, ...]):\n"
        "    if how == 'a':\n        return len(t)\n    return 0.5\n\n\nf(1 if input() else 2, 8, 'a', (0.5, 1.0))\n"
    )
    found = versions(text)
    special, base = found["[m=8,how='a',len(t)=2]"], found[""]
    assert [str(fact) for fact in special.params] == ["int[i64]", "int(8)", "str('a')", "tuple[float, float]"]
    assert (special.returns.kind, special.returns.range) == ("int", (2, 2))
    assert base.returns.kind == "object"
    assert all(not fact.constant for fact in base.params)


def test_the_cap_leaves_the_version_for_the_kinds() -> None:
    text = PAIR + "".join(f"f({k}, 0)\n" for k in range(MOST_SPECIALIZED + 3))
    facts = facts_of(text)
    assert len(facts.versions("f")) == MOST_SPECIALIZED + 1
    reached = [target.version for target in facts.functions["<module>"].calls.values() if target.name == "f"]
    assert reached[-3:] == ["f[int]"] * 3
    assert len(set(reached)) == MOST_SPECIALIZED + 1


def test_the_runtime_knows_the_cap() -> None:
    assert MOST_SPECIALIZED == binding.SPECIALIZATION_LIMIT


def test_constants_are_handed_on_and_recursion_ends() -> None:
    text = (
        "import ppy\n\n\n@ppy.specialize\ndef g(x: int, m: int):\n    return x % m\n\n\n"
        "@ppy.specialize\ndef f(x: int, m: int):\n    return g(x, m) if x < 9 else f(x - 1, m)\n\n\n"
        "print(f(ppy.__doc__.count('a'), 5))\n"
    )
    facts = facts_of(text)
    assert {version.version for version in facts.versions("g")} == {"", "[m=5]"}
    assert {version.version for version in facts.versions("f")} == {"", "[m=5]"}
    reached = {v.version: {t.version for t in v.calls.values()} for v in facts.versions("f")}
    assert reached == {"": {"g", "f"}, "[m=5]": {"g[m=5]", "f[m=5]"}}


def test_a_constant_more_changes_no_other_key() -> None:
    text = PAIR + "def main(x):\n    return f(x, 1)\n\n\nmain(3)\n"
    before, after = (
        function_keys(facts_of(version), Source.from_text(version, "t.py")) for version in (text, text + "f(5, 6)\n")
    )
    assert after.keys() - before.keys() == {"f[int,x=5,y=6]"}
    assert {key for key in before if before[key] != after[key]} == {"<module>"}
