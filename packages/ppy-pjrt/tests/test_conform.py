"""The conformance command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from ppy_pjrt.cli import main
from ppy_pjrt.conform import all_checks
from ppy_pjrt.conform.runner import diff, render, run, run_check


@pytest.mark.cpu
def test_a_real_plugin_conforms(plugin_path: Path) -> None:
    report = run(str(plugin_path))
    broken = [row for row in report["checks"] if row["outcome"] not in ("pass", "absent")]
    assert not broken
    assert report["counts"]["pass"] >= 35 and sum(report["counts"].values()) == len(all_checks())
    assert json.loads(json.dumps(report)) == report
    assert f"{report['counts']['pass']} pass" in render(report, verbose=True)


@pytest.mark.cpu
def test_differences_between_versions(tmp_path: Path, newest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pjrt_support import cpu_plugins

    paths = [cpu_plugins()[0], newest]
    files = []
    for index, path in enumerate(paths):
        file = tmp_path / f"{index}.json"
        file.write_text(json.dumps(run(str(path), only="buffer.b")))
        files.append(str(file))
    assert main(["conform", "--diff", *files]) == 0
    shown = capsys.readouterr().out
    if paths[0] != paths[1]:
        assert "buffer.bitcast: absent -> pass" in shown
    same = json.loads(Path(files[0]).read_text())
    assert diff(same, same) == "no difference in what the two can do"


@pytest.mark.host
def test_a_crash_is_one_failed_row(build_fake: Callable[..., Path]) -> None:
    path = str(build_fake(CRASH=1))
    assert run_check("plugin.loads", path, 60).outcome == "pass"
    crashed = run_check("buffer.round_trip", path, 60)
    assert crashed.outcome == "crash" and "ended with -6" in crashed.detail
    assert run_check("memory.memories", path, 60).outcome == "pass"
    assert run_check("program.facts", path, 60).outcome == "absent"


@pytest.mark.host
def test_a_hang_and_a_dying_process_are_rows(build_fake: Callable[..., Path]) -> None:
    slow = str(build_fake(EVENT_DELAY_US=30_000_000))
    assert run_check("buffer.ready_event", slow, 3).outcome == "timeout"
    dying = run_check("no such check", str(build_fake()), 60)
    assert dying.outcome == "fail" and "KeyError" in dying.detail


@pytest.mark.host
def test_exit_statuses(build_fake: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = str(build_fake(EVENT_ERROR=10))
    assert main(["conform", path, "--only", "plugin.loads"]) == 0
    assert main(["conform", path, "--only", "program.facts"]) == 0, "absent is not broken"
    capsys.readouterr()
    assert main(["conform", path, "--only", "buffer.ready_event", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["counts"] == {"fail": 1}
    for wrong in (
        ["conform"],
        ["conform", "/no/such/plugin.so"],
        ["conform", "--diff", "/no", "/such"],
        ["frobnicate"],
    ):
        with pytest.raises(SystemExit) as caught:
            main(wrong)
        assert caught.value.code == 2
