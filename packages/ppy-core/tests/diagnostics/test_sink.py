from __future__ import annotations

import json
from pathlib import Path

from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError, Label, Severity
from ppy_compiler.diagnostics.codes import configuration, internal, stayed_general, stayed_python, types, warnings
from ppy_compiler.diagnostics.sink import Sink, SourceMap, promote
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

UNCALLABLE = types.NOT_CALLABLE.at("b.py", Span(3, 0, 3, 1), type="int")
REMARK = stayed_python.GENERATOR.at("a.py", Span(9, 0, 9, 1), function="f", subject="f")
GENERAL = stayed_general.BIG_CONSTANT.at("a.py", Span(2, 0, 2, 1), operation="`+`", value=2**70)
WARNING = warnings.CACHE_UNAVAILABLE.at("a.py", reason="disk full")


def test_a_sink_keeps_each_finding_once_by_place() -> None:
    sink = Sink()
    for found in (UNCALLABLE, REMARK, GENERAL, WARNING, UNCALLABLE):
        sink.report(found)
    sink.extend([GENERAL])
    assert sink.diagnostics == [WARNING, GENERAL, REMARK, UNCALLABLE]
    assert sink.of(Severity.REMARK) == [GENERAL, REMARK]


def test_exit_status_is_that_of_the_gravest_error() -> None:
    sink = Sink()
    assert sink.exit_status == 0
    sink.extend([REMARK, WARNING])
    assert (sink.exit_status, sink.has_errors) == (0, False)
    sink.report(UNCALLABLE)
    assert (sink.exit_status, sink.has_errors) == (1, True)
    sink.report(configuration.BAD_TOML.at("pyproject.toml", reason="x"))
    assert sink.exit_status == 2
    sink.report(internal.INTERNAL_ERROR.at("b.py", stage="lowering", error="KeyError", report="r.json"))
    assert sink.exit_status == 3


def test_strict_makes_errors_of_chosen_remarks() -> None:
    promoted = promote([REMARK, GENERAL, WARNING], ["stayed-python", "W5001"])
    assert [found.severity for found in promoted] == [Severity.ERROR, Severity.REMARK, Severity.WARNING]
    assert promote([GENERAL], ["R4104"])[0].severity is Severity.ERROR


def test_a_diagnostic_survives_json() -> None:
    found = types.ARGUMENT_TYPE.at(
        "a.py", Span(1, 2, 3, 4), function="f", expected="int", parameter="n", actual="str",
        labels=(Label(Span(5, 6, 7, 8), "declared here", "c.py"),), notes=("one", "two"), subject="m.f",
    )  # fmt: skip
    for diagnostic in (found, WARNING, REMARK.as_error()):
        assert Diagnostic.from_data(json.loads(json.dumps(diagnostic.to_data()))) == diagnostic


def test_an_error_carries_its_diagnostic() -> None:
    error = DiagnosticError(UNCALLABLE)
    assert error.diagnostic is UNCALLABLE
    assert str(error) == "E1109: `int` is not callable"


def test_sources_are_read_when_needed_and_never_fail(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_bytes(b"x = '\xff'\n")
    sources = SourceMap([Source.from_text("in memory", "m.py")])
    good = sources.get(str(tmp_path / "good.py"))
    assert good is not None
    assert good.line(1) == "x = 1"
    assert sources.get(str(tmp_path / "bad.py")) is None
    assert sources.get(str(tmp_path / "absent.py")) is None
    memory = sources.get("m.py")
    assert memory is not None
    assert memory.text == "in memory"
