"""The formats, on one sample that has everything: labels, tabs, wide characters, no span, no text."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from ppy_compiler.diagnostics.code import Label, Severity
from ppy_compiler.diagnostics.codes import configuration, stayed_python, types, warnings
from ppy_compiler.diagnostics.render import FORMATS, render
from ppy_compiler.diagnostics.render.style import Style, style_for
from ppy_compiler.diagnostics.sink import SourceMap
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

GOLDEN = Path(__file__).parent / "golden"
TEXT = """\
def double(n: int):
\treturn "日本" + 3



for i in (
    3,
    4,
    5,
    6
)():
    print(double("é"), i)
"""
SOURCES = SourceMap([Source.from_text(TEXT, "a b.py"), Source.from_text("import os\nlimit = 3\n", "other.py")])
SAMPLE = [
    types.UNSUPPORTED_OPERAND.at("a b.py", Span(2, 8, 2, 20), operator="+", left="str", right="int", subject="double"),
    types.NOT_CALLABLE.at("a b.py", Span(6, 9, 11, 1), type="tuple[int, ...]", notes=("first", "second\nline")),
    types.ARGUMENT_TYPE.at(
        "a b.py", Span(12, 17, 12, 21), function="double", expected="int", parameter="n", actual="str",
        labels=(Label(Span(1, 11, 1, 17), "declared here"), Label(Span(2, 0, 2, 5), "see also", "other.py")),
    ),
    stayed_python.GENERATOR.at("gone.py", Span(7, 3, 7, 9), function="evens"),
    configuration.UNKNOWN_KEY.at(
        "pyproject.toml", table="tool.ppy", key="x", suggestion="; did you mean 'y'?", keys="it takes `z`"
    ),
    warnings.CACHE_UNAVAILABLE.at("a b.py", reason="50% of it,\nsee: log"),
]  # fmt: skip


@pytest.mark.parametrize("format_name", [*FORMATS, "colour"])
def test_golden(format_name: str, request: pytest.FixtureRequest) -> None:
    style = Style(colour=True) if format_name == "colour" else Style()
    text = render("full" if format_name == "colour" else format_name, SAMPLE, SOURCES, style)
    path = GOLDEN / f"{format_name}.txt"
    if request.config.getoption("--update"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("format_name", FORMATS)
def test_nothing_found(format_name: str) -> None:
    text = render(format_name, [], SOURCES)
    assert text == "" or json.loads(text)


def test_concise_counts_characters_from_one() -> None:
    line = render("concise", [SAMPLE[2]], SOURCES)
    assert line == "a b.py:12:18: E1101 `double` expects `int` for `n`, got `str`\n"


def test_a_finding_without_a_place_points_nowhere() -> None:
    found = [warnings.CACHE_UNAVAILABLE.at("", reason="disk full")]
    assert "-->" not in render("full", found, SOURCES)
    assert render("concise", found, SOURCES).startswith("W5001 no cache")
    assert render("github", found, SOURCES).startswith("::warning title=W5001::")


def test_json_is_stable_data() -> None:
    document: dict[str, Any] = json.loads(render("json", SAMPLE, SOURCES))
    assert document["version"] == 1
    first = document["diagnostics"][0]
    assert first["location"] == {
        "path": "a b.py",
        "start": {"line": 2, "column": 9},
        "end": {"line": 2, "column": 17},
    }
    assert document["diagnostics"][4]["location"]["start"] is None


def test_sarif_refers_to_its_rules() -> None:
    run = json.loads(render("sarif", SAMPLE, SOURCES))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [found.code for found in SAMPLE]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.py"


def found_in(text: str, span: Span) -> str:
    source = Source.from_text(text, "x.py")
    return render("full", [types.NOT_CALLABLE.at("x.py", span, type="t")], SourceMap([source]), Style(width=60))


def test_carets_stand_under_the_marked_cells() -> None:
    shown = found_in("\tü = '日本語', x()\n", Span(1, 19, 1, 22)).splitlines()
    assert shown[3] == "1 |     ü = '日本語', x()"
    assert shown[4] == "  |                   ^^^"  # four cells for the tab, two for each ideograph


def test_a_finding_fits_one_screen_however_long_its_text() -> None:
    long_line = "x = " + "a + " * 500 + "b()"
    shown = found_in(f"{long_line}\n", Span(1, len(long_line) - 3, 1, len(long_line))).splitlines()
    assert all(len(line) <= 60 for line in shown)
    assert shown[3].endswith("b()")
    assert shown[4].index("^^^") == shown[3].index("b()")
    many = "f(\n" + "  a,\n" * 500 + ")\n"
    assert len(found_in(many, Span(1, 0, 502, 1)).splitlines()) <= 24


@pytest.mark.parametrize("span", [Span(3, 0, 3, 0), Span(1, 99, 1, 120), Span(9, 4, 9, 5), Span(1, 0, 2, 0)])
def test_places_beyond_the_text_are_shown_all_the_same(span: Span) -> None:
    assert re.search(r"--> x\.py:\d+:\d+\n", found_in("a\nb\n", span))
    assert "^" in found_in("a\nb\n", span)


def test_control_characters_never_reach_the_terminal() -> None:
    shown = found_in("x = '\x1b[31m\u202e'\n", Span(1, 0, 1, 1))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[31m" in shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "option", "environ", "coloured"),
    [
        (Terminal(), "auto", {}, True),
        (Terminal(), "auto", {"NO_COLOR": "1"}, False),
        (Terminal(), "auto", {"NO_COLOR": ""}, True),
        (Terminal(), "auto", {"TERM": "dumb"}, False),
        (io.StringIO(), "auto", {}, False),
        (io.StringIO(), "auto", {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), "auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (Terminal(), "never", {"FORCE_COLOR": "1"}, False),
        (io.StringIO(), "always", {"NO_COLOR": "1"}, True),
    ],
)
def test_colour_is_asked_for_politely(
    stream: io.StringIO, option: str, environ: dict[str, str], coloured: bool
) -> None:
    assert style_for(stream, option, environ).colour is coloured


def test_colour_changes_nothing_but_colour() -> None:
    plain = render("full", SAMPLE, SOURCES)
    assert re.sub(r"\x1b\[[0-9;]*m", "", render("full", SAMPLE, SOURCES, Style(colour=True))) == plain


def test_promoted_remarks_are_shown_as_errors() -> None:
    assert SAMPLE[3].as_error().severity is Severity.ERROR
    assert render("full", [SAMPLE[3].as_error()], SOURCES).startswith("error[R4001]: ")
