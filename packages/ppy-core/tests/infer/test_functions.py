"""What inference says about functions: effects, call targets, demanded bits, globals in loops, summaries."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.names import LoadGlobal
from ppy_compiler.dialects.py.operators import Binary
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import Assumptions, ModuleFacts, analyze, ranges, summary_key
from ppy_compiler.infer import effects as fx
from ppy_compiler.ir import Operation
from ppy_compiler.passes.structural import run_structural
from ppy_compiler.support.source import Source

Analyse = Callable[[str], ModuleFacts]


def operations(facts: ModuleFacts, sym: str, kind: type[Operation]) -> list[Operation]:
    function = facts.functions[sym]
    return [op for block in function.func.body.blocks for op in block.ops if type(op) is kind]


EFFECTS = """
import math
import time

state = 0
N = 10


def scalar(n: int, x: float) -> float:
    t = 0.0
    for i in range(n):
        t += math.sqrt(x) * i + N
    return t


def fails(n: int) -> int:
    return 10 // n


def caught(n: int) -> int:
    try:
        return 10 // n
    except ZeroDivisionError:
        return 0


def reads(xs: list[int]) -> int:
    return xs[0]


def writes(xs: list[bool]) -> None:
    xs[0] = True


def sets_global() -> None:
    global state
    state = 1


def clock() -> float:
    return time.perf_counter()


def anything(o: object) -> object:
    return o.attribute


def calls_fails(n: int) -> int:
    return fails(n) + scalar(1, 2.0) > 3
"""


@pytest.fixture(scope="session")
def effects() -> ModuleFacts:
    module = build_module(Source.from_text(EFFECTS, "t.py"), "t")
    run_structural(module)
    return analyze(module)


@pytest.mark.parametrize(
    ("sym", "has", "lacks"),
    [
        ("scalar", fx.RAISES | fx.ENDLESS, fx.RUNS | fx.OBJECTS | fx.WRITES | fx.GLOBALS | fx.IO),
        ("fails", fx.RAISES, fx.RUNS | fx.OBJECTS | fx.ENDLESS),
        ("reads", fx.RAISES | fx.OBJECTS, fx.RUNS | fx.WRITES),
        ("writes", fx.WRITES | fx.OBJECTS, fx.RUNS | fx.GLOBALS),
        ("sets_global", fx.GLOBALS, fx.IO),
        ("clock", fx.IO, fx.RUNS),
        ("anything", fx.RUNS, fx.IO),
        ("calls_fails", fx.RAISES, fx.RUNS | fx.OBJECTS),
    ],
)
def test_effects(effects: ModuleFacts, sym: str, has: int, lacks: int) -> None:
    bits = effects.functions[sym].effects.bits
    assert bits & has == has, effects.functions[sym].effects
    assert not bits & lacks, effects.functions[sym].effects


def test_object_free(effects: ModuleFacts) -> None:
    free = {sym for sym, facts in effects.functions.items() if facts.effects.object_free}
    assert {"scalar", "fails", "calls_fails"} <= free
    assert not free & {"reads", "writes", "sets_global", "anything", "<module>"}
    assert effects.functions["reads"].effects.pure
    assert not effects.functions["clock"].effects.pure


def test_call_targets(analyzed: Analyse) -> None:
    facts = analyzed(
        "import math\n"
        "def add(a: int, b: int = 2, *, c: int = 3) -> int:\n    return a + b + c\n"
        "def use(n: int) -> int:\n    return add(n) + add(1, c=n) + add(b=1, a=n) + len('abc') + math.floor(2.5)\n"
        "def vary(*xs: int) -> int:\n    return 0\n"
        "def more() -> int:\n    return vary(1, 2)\n"
        "def twice():\n    return 1\n"
        "twice = lambda: 2\n"
        "def unsure():\n    return twice()\n"
    )
    targets = list(facts.functions["use"].calls.values())
    assert [t.arguments for t in targets if t.name == "add"] == [(0, None, None), (0, None, 1), (1, 0, None)]
    assert {t.name for t in targets} == {"add", "builtins.len", "math.floor"}
    assert all("add" in t.depends for t in targets if t.kind == "function")
    assert next(t for t in targets if t.name == "math.floor").depends == {"math", "math.floor"}
    assert [t.arguments for t in facts.functions["more"].calls.values()] == [()]
    assert not facts.functions["unsure"].calls


def test_demanded_bits(analyzed: Analyse) -> None:
    facts = analyzed(
        "M = 0xFFFFFFFFFFFFFFFF\n"
        "def f(x: int, y: int) -> int:\n"
        "    a = (x * 6364136223846793005 + y) & M\n"
        "    b = ((a << 13) ^ (a * 3)) % 256\n"
        "    c = x * y\n"
        "    return a + b + c + (c & 255)\n"
    )
    function = facts.functions["f"]
    bits = {function.func.sym: 0}
    found = {}
    for op in operations(facts, "f", Binary):
        assert isinstance(op, Binary)
        found.setdefault(op.kind, []).append(function.demanded.get(op.value))
        if op.value in function.demanded:
            assert function.values[op.value].demanded_bits == function.demanded[op.value]
    assert bits == {"f": 0}
    assert found["*"] == [64, 8, None]
    assert found["+"][0] == 64
    assert found["<<"] == [8]


def test_a_guard_stands_only_where_a_word_may_not_do(analyzed: Analyse) -> None:
    facts = analyzed(
        "def f(n: int) -> int:\n"
        "    t = 0\n"
        "    for i in range(n):\n"
        "        k = i + 1\n"
        "        m = k % 100\n"
        "        t += m\n"
        "    return t\n"
    )
    function = facts.functions["f"]
    guarded = [function.values[op.results[0]].guarded for op in operations(facts, "f", Binary)]
    assert guarded == [False, False, True]


def test_globals_are_followed_from_store_to_load(analyzed: Analyse) -> None:
    facts = analyzed(
        "total = 0\nfor i in range(10):\n    total += i\nprint(total)\nwhile total > 3:\n    total -= 1\nrest = total\n"
    )
    body = facts.functions["<module>"]
    loads = [op for op in operations(facts, "<module>", LoadGlobal) if op.attributes["var"] == "total"]
    shown = [body.values[op.results[0]] for op in loads]
    assert all(fact.kind == "int" and not fact.guarded for fact in shown)
    assert not shown[0].depends
    assert shown[-1].depends == {"total"}, "after print() only the watcher knows"
    assert not any(body.op_effects[op] & fx.RUNS for op in operations(facts, "<module>", Binary))


def test_what_others_store_is_forgotten_at_calls(analyzed: Analyse) -> None:
    facts = analyzed(
        "counter = 0\n"
        "def bump() -> None:\n    global counter\n    counter = 'text'\n"
        "counter += 1\nbump()\nafter = counter\n"
    )
    body = facts.functions["<module>"]
    loads = [op for op in operations(facts, "<module>", LoadGlobal) if op.attributes["var"] == "counter"]
    assert [body.values[op.results[0]].kind for op in loads] == ["int", "object"]


def test_narrowed_facts_by_block(analyzed: Analyse) -> None:
    facts = analyzed("def f(n: int) -> int:\n    if n > 5:\n        return n\n    return 0\n")
    function = facts.functions["f"]
    n = function.func.body.entry.args[0]
    assert function.values[n].range == ranges.I64
    inside = [block for block in function.reachable if n in function.narrowed[block]]
    assert {function.at(n, block).range for block in inside} == {(6, ranges.I64[1]), (ranges.I64[0], 5)}


def test_without_assumptions_only_proofs_count() -> None:
    text = "def f(n: int):\n    return n\ndef g(x):\n    return x\ng(1)\n"
    module = build_module(Source.from_text(text, "t.py"), "t")
    facts = analyze(module, assumptions=Assumptions(annotations=False))
    assert facts.functions["f"].params[0].kind == "object"
    assert facts.functions["g"].params[0].kind == "int"
    facts = analyze(module, assumptions=Assumptions(callers=False))
    assert facts.functions["g"].params[0].kind == "object"
    assert facts.functions["f"].params[0].kind == "int"


SUMMARY = "def f(n: int) -> int:\n    {body}\n\ndef g(n: int) -> int:\n    return f(n)\n"


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ("return n + 1", True),
        ("k = n\n    return k + 1", True),
        ("return n % 10", False),
        ("print(n)\n    return n + 1", False),
        ("return 10 // n", False),
    ],
)
def test_summary_key(analyzed: Analyse, body: str, same: bool) -> None:
    before = analyzed(SUMMARY.format(body="return 1 + n"))
    after = analyzed(SUMMARY.format(body=body))
    assert (summary_key(before.functions["f"]) == summary_key(after.functions["f"])) is same


def test_deep_recursion_of_calls_is_no_problem(analyzed: Analyse) -> None:
    count = 400
    lines = ["def f0(x):\n    return x + 1\n"]
    lines += [f"def f{i}(x):\n    return f{i - 1}(x)\n" for i in range(1, count)]
    facts = analyzed("".join(lines) + f"r = f{count - 1}(1)\n")
    assert facts.globals["r"].kind == "int"
    assert facts.functions["f0"].params[0].kind == "int"


def test_unreachable_code_has_no_facts(analyzed: Analyse) -> None:
    facts = analyzed(
        "def f() -> int:\n    while True:\n        pass\n    return helper()\ndef helper() -> int:\n    return 1\n"
    )
    calls = operations(facts, "f", Call)
    assert all(op not in facts.functions["f"].calls for op in calls)
