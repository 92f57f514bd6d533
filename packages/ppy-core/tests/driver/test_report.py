"""`ppy explain FILE`: the remarks about a function stand with that function, and can be followed."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

PROGRAM = """
def f(c: list[int], d: Other):
    both = (lambda x: x + 1), (lambda x: x - 1)
    total = 0
    for item in unknown(c):
        total = d - total
    return both, total


def unknown(c):
    yield from c
"""


@pytest.mark.llvm
def test_remarks_of_functions_with_one_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.py"
    path.write_text("from __future__ import annotations\n" + PROGRAM, encoding="utf-8")
    capsys.readouterr()
    importlib.import_module("ppy_compiler.cli.main").main(["explain", "--json", str(path)])
    functions = json.loads(capsys.readouterr().out)["modules"][0]["functions"]
    first, second = [f["remarks"] for f in functions if f["qualname"].startswith("f.<locals>")]
    assert any("`-`" in remark["message"] for remark in second)
    assert not any("`-`" in remark["message"] for remark in first)
    assert [remark["help"] for remark in second] == ["annotate `x`"]
    (remarks,) = [f["remarks"] for f in functions if f["qualname"] == "f"]
    helps = {remark["message"].partition(" stays")[0]: remark["help"] for remark in remarks}
    assert helps["iterating"] == "give the value to a variable with an annotation, and use that"
    assert helps["`-`"] == "its annotation names no type that native code knows: an alias is not followed"
    assert sum(remark["message"].startswith("iterating") for remark in remarks) == 1
