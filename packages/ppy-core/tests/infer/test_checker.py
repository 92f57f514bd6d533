"""The checker's cases, one Markdown file for each subject.

Every Python block is a program of its own. At the end of a line stands what is expected there::

    reveal_type(x)      # revealed: int[0..9]
    "a" + 1             # error: E1106 "between `str` and `int`"
    f(a)                # remark: R4102

All errors of a block must be expected; remarks are looked at only where one is expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import Fact, ModuleFacts, analyze, check
from ppy_compiler.infer.lattice import join
from ppy_compiler.passes.structural import run_structural
from ppy_compiler.support.source import Source

CASES = Path(__file__).parent / "checker"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
EXPECTED = re.compile(r'# (?P<kind>error|remark|revealed): (?P<what>.*?)(?: "(?P<text>[^"]*)")?(?=$|  #)')


def blocks() -> Iterator[tuple[str, str]]:
    for path in sorted(CASES.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for number, match in enumerate(BLOCK.finditer(text), 1):
            headings = HEADING.findall(BLOCK.sub("", text[: match.start()]))
            yield f"{path.stem}:{number} {headings[-1] if headings else ''}", match[1]


def revealed(facts: ModuleFacts) -> dict[int, str]:
    """Line to the fact that ``reveal_type`` was shown there (the body of ``finally`` stands several times in the
    IR)."""
    found: dict[int, Fact] = {}
    for function in facts.functions.values():
        for block in function.reachable:
            for op in block.ops:
                target = function.calls.get(op)
                if target is not None and target.name == "typing.reveal_type" and isinstance(op, Call) and op.span:
                    fact = function.at(op.args[0], block)
                    found[op.span.line] = join(found.get(op.span.line, fact), fact)
    return {line: str(fact) for line, fact in found.items()}


CASE_LIST = list(blocks())


@pytest.mark.parametrize("text", [text for _, text in CASE_LIST], ids=[name for name, _ in CASE_LIST])
def test_case(text: str) -> None:
    source = Source.from_text(text, "case.py")
    module = build_module(source, "__main__")
    run_structural(module)
    facts = analyze(module)
    found = check(module, facts, source)
    errors = {(d.span.line if d.span else 0, d.code): d.message for d in found if d.code[0] == "E"}
    remarks = {(d.span.line if d.span else 0, d.code): d.message for d in found if d.code[0] == "R"}
    shown = revealed(facts)
    expected_errors: set[tuple[int, str]] = set()
    for number, line in enumerate(text.split("\n"), 1):
        for match in EXPECTED.finditer(line):
            key = (number, match["what"])
            if match["kind"] == "revealed":
                assert shown.get(number) == match["what"], f"line {number}: {shown.get(number)}"
                continue
            among = errors if match["kind"] == "error" else remarks
            assert key in among, f"line {number}: expected {match['what']}, found {errors} {sorted(remarks)}"
            assert (match["text"] or "") in among[key], among[key]
            if match["kind"] == "error":
                expected_errors.add(key)
    assert set(errors) == expected_errors, {key: errors[key] for key in set(errors) - expected_errors}


def test_there_are_cases() -> None:
    assert len(CASE_LIST) > 40
