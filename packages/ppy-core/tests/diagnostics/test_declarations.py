"""Every declared code keeps the promises of `Code`; every use fills exactly the declared fields."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import ppy_compiler
import pytest
from ppy_compiler.diagnostics.code import Code, DeclarationError, Severity
from ppy_compiler.diagnostics.codes import FAMILIES, all_codes, codes_of, family_of, find
from ppy_compiler.support.spans import Span

CODES = list(all_codes())
CONSTANTS = {
    name: value
    for family in FAMILIES
    for name, value in vars(__import__(f"ppy_compiler.diagnostics.codes.{family.module}", fromlist=["_"])).items()
    if isinstance(value, Code)
}
OTHER_PARAMETERS = {"path", "span", "labels", "notes", "subject"}


def sample(**changes: Any) -> Code:
    parts: dict[str, Any] = {
        "code": "E1199", "slug": "sample", "title": "t", "message": "m `{a}`", "help": "h `{b}`",
        "explanation": "e", "bad": "1\n", "fixed": "2\n", "raised_by": "check",
    }  # fmt: skip
    return Code(**(parts | changes))


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_each_declaration_is_complete_and_in_its_family(code: Code) -> None:
    assert code in codes_of(family_of(code.code))
    assert all((code.title, code.message, code.help, code.explanation.strip(), code.bad.strip(), code.fixed.strip()))
    assert code.bad != code.fixed
    assert not code.title.endswith(".")
    assert not code.message.endswith(".")
    assert code.raised_by in ("check", "config") or re.fullmatch(r"[\w/-]+\.py::test_\w+", code.raised_by)
    if code.language == "python" and code.code != "E0101":
        ast.parse(code.bad)
        ast.parse(code.fixed)


def test_codes_and_names_are_unique() -> None:
    assert len({code.code for code in CODES}) == len({code.slug for code in CODES}) == len(CODES)


def test_find_by_code_and_by_name() -> None:
    for code in CODES:
        assert find(code.code) is find(code.code.lower()) is find(code.slug) is code
    for name in ("E9999", "E1199", "nonsense", "", "E11", "X1101"):
        with pytest.raises(LookupError):
            find(name)


def test_severity_follows_the_letter_and_exit_status_the_family() -> None:
    assert sample().severity is Severity.ERROR
    assert sample(code="W5099").severity is Severity.WARNING
    assert sample(code="R4099").severity is Severity.REMARK
    assert {family.name: family.exit_status for family in FAMILIES if family.exit_status != 1} == {
        "artifacts": 2, "plugins": 2, "configuration": 2, "toolchain": 2, "internal": 3,
    }  # fmt: skip


@pytest.mark.parametrize("changes", [{"code": "E11"}, {"slug": "Not A Slug"}, {"message": "{path}"}, {"code": "I1000"}])
def test_bad_declarations_are_refused(changes: dict[str, str]) -> None:
    with pytest.raises(DeclarationError):
        sample(**changes)


def test_a_diagnostic_fills_both_templates() -> None:
    found = sample().at("f.py", Span(1, 0, 1, 1), a=3, b="x", subject="m.f")
    assert (found.message, found.help, found.subject) == ("m `3`", "h `x`", "m.f")
    assert found.fields == (("a", "3"), ("b", "x"))


@pytest.mark.parametrize("fields", [{}, {"a": 1}, {"a": 1, "b": 2, "c": 3}])
def test_wrong_fields_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(DeclarationError, match="E1199 wants the fields"):
        sample().at("f.py", **fields)  # type: ignore[arg-type]  # the point of the test


def test_every_use_in_the_compiler_fills_the_declared_fields() -> None:
    """`CODE.at(…)` with other fields would only be noticed when the message is needed: find it here."""
    problems: list[str] = []
    for path in sorted(Path(ppy_compiler.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (code := _called(node)) is not None:
                assert isinstance(node, ast.Call)
                given = {keyword.arg for keyword in node.keywords} - OTHER_PARAMETERS
                if None not in given and given != code.fields:
                    problems.append(f"{path}:{node.lineno}: {code.code} wants {sorted(code.fields)}, got {given}")
    assert not problems, "\n".join(problems)


def _called(node: ast.AST) -> Code | None:
    match node:
        case ast.Call(func=ast.Attribute(attr="at", value=ast.Attribute(attr=name) | ast.Name(id=name))):
            return CONSTANTS.get(name)
    return None
