"""`ppy explain` and `ppy check` say what directives did, and what kept them from it."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

REASONS = {
    "a parameter takes its default here": """
def total(n: int) -> int:
    found = 0
    for k in range(n):
        found += scaled(k)
    return found
""",
    "an argument is of another type than the parameter": """
def total(n: int) -> float:
    found = 0.5
    for k in range(n):
        found += scaled(found, 3)
    return found
""",
    "its caller runs as Python": """
def total(n: int):
    yield scaled(n, 2)
""",
    "its caller holds no number in a register": """
def total():
    print(scaled(1, 2))
""",
    "it is not called by a global name": """
def total(n: int) -> int:
    chosen = scaled if n > 2 else scaled
    return n + chosen(n, 2)
""",
}
NEVER = {
    "it runs as Python": "def f(n: int):\n    yield n\n",
    "only functions at a module's top level are called natively": "def f(n: int):\n    return n\n",
}


def printed(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *command: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(f"import ppy\n\n\n{text}", encoding="utf-8")
    capsys.readouterr()
    importlib.import_module("ppy_compiler.cli.main").main([*command, str(path)])
    return capsys.readouterr().out


def remarks(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """Codes and reasons."""
    out = printed(text, tmp_path, capsys, "check", "--remarks", "all", "--output-format", "json")
    found = json.loads(out)["diagnostics"]
    return [(d["code"], d["message"].partition("expanded: ")[2]) for d in found if d["code"].startswith("R42")]


@pytest.mark.parametrize("reason", REASONS)
def test_why_a_call_is_not_expanded(reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inline = "@ppy.inline\ndef scaled(x: int, by: int = 3) -> int:\n    return x * by\n\n\n"
    found = remarks(inline + REASONS[reason], tmp_path, capsys)
    assert found == [("R4201", reason)]
    assert remarks(REASONS[reason], tmp_path, capsys) == []


@pytest.mark.parametrize("reason", NEVER)
def test_why_no_call_can_be(reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    function = f"@ppy.inline\n{NEVER[reason]}".replace("\n", "\n    ")
    found = remarks(f"def outer() -> None:\n    {function}\n    print(f)\n", tmp_path, capsys)
    assert found == [("R4202", reason)]


@pytest.mark.llvm
def test_explain_says_what_each_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
@ppy.inline
@ppy.opt(3)
def twice(x: int) -> int:
    return 2 * x


@ppy.noinline
@ppy.fastmath
def halves(n: int) -> float:
    total = 0.0
    for k in range(n):
        total += k * 0.5
    return total


@ppy.opt(1)
def general(text):
    return text + text


@ppy.inline
def alone(x: int) -> int:
    return x


def caller(n: int) -> int:
    return twice(n) + twice(n + 1)
"""
    lines = [line.strip() for line in printed(text, tmp_path, capsys, "explain").splitlines()]
    for line in (
        "@ppy.opt(3): optimised at level 3",
        "@ppy.inline: expanded in caller (2 calls)",
        "@ppy.noinline: no call of it is expanded",
        "@ppy.fastmath: float operations that may be reassociated and contracted: 2",
        "@ppy.opt(1): nothing, the function holds no number in a register, and general code is not optimised",
        "@ppy.inline: no native function of the module calls it directly",
    ):
        assert line in lines
    data = json.loads(printed(text, tmp_path, capsys, "explain", "--json"))
    (found,) = [f for f in data["modules"][0]["functions"] if f["qualname"] == "alone"]
    assert found["directives"] == ["@ppy.inline: no native function of the module calls it directly"]
