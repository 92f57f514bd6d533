"""Each page tells the truth: its bad example raises exactly its code, its fixed example does not.

`Code.raised_by` says who raises it. For "check" the examples are programs for `ppy check`, for "config" they are the
`[tool.ppy]` part of a project; where no text alone can raise a code, `raised_by` names the test that does. A code
whose raiser does not exist (yet, or any more) fails here: either bring the raiser, or delete the declaration.
"""

from __future__ import annotations

import ast
import importlib
import json
from pathlib import Path

import pytest
from ppy_compiler.diagnostics.code import Code
from ppy_compiler.diagnostics.codes import all_codes, codes_of, family_of

CORE = Path(__file__).resolve().parents[2]
ROOT = CORE.parents[1]
CODES = list(all_codes())
# The remarks that one program may draw beside the one that its page is about.
REMARK_PREFIXES = ("R40", "R41")


def check(project: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """The codes that `ppy check` finds in a project, remarks included."""
    main = importlib.import_module("ppy_compiler.cli.main").main
    capsys.readouterr()
    status = main(["check", "--output-format", "json", "--remarks", "all", str(project / "main.py")])
    printed = capsys.readouterr()
    assert status != 3, printed.err
    document = json.loads(printed.out)
    return {found["code"] for found in document["diagnostics"]}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "main.py").write_text("print(1)\n")
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def of_raiser(name: str) -> list[Code]:
    return [code for code in CODES if code.raised_by == name]


@pytest.mark.parametrize("code", of_raiser("check"), ids=lambda code: code.code)
def test_program(code: Code, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "main.py").write_text(code.bad, encoding="utf-8")
    found = check(project, capsys)
    beside = {name for name in found if name.startswith(REMARK_PREFIXES)}
    assert code.code in found
    assert found - beside <= {code.code}
    (project / "main.py").write_text(code.fixed, encoding="utf-8")
    found = check(project, capsys)
    assert code.code not in found
    assert all(name.startswith(REMARK_PREFIXES) for name in found)


@pytest.mark.parametrize("code", of_raiser("config"), ids=lambda code: code.code)
def test_configuration(code: Code, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text(code.bad, encoding="utf-8")
    assert check(project, capsys) == {code.code}
    (project / "pyproject.toml").write_text(code.fixed, encoding="utf-8")
    assert check(project, capsys) == set()


@pytest.mark.parametrize(
    "code", [code for code in CODES if code.raised_by not in ("check", "config")], ids=lambda code: code.code
)
def test_raised_by_a_test(code: Code) -> None:
    file, _, name = code.raised_by.partition("::")
    path = next((base / file for base in (CORE, ROOT) if (base / file).is_file()), None)
    assert path is not None, f"{code.code} waits for {code.raised_by}"
    text = path.read_text(encoding="utf-8")
    functions = {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}
    assert name in functions, f"{code.code} waits for {code.raised_by}"
    assert code.code in text or constant_of(code) in text, f"{code.raised_by} never mentions {code.code}"


def constant_of(code: Code) -> str:
    family = family_of(code.code)
    assert code in codes_of(family)
    module = importlib.import_module(f"ppy_compiler.diagnostics.codes.{family.module}")
    return next(name for name, value in vars(module).items() if value is code)
