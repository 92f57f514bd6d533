"""A third party's backend, discovered and used exactly as ours: built, cached, loaded by its own loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PROGRAM = "import helper\n\n\ndef f(n):\n    return helper.g(n) + 1\n\n\nprint(f(1))\n"
HELPER = "def g(n):\n    return n * 2\n"


def test_it_runs_a_program_cold_and_warm(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", PROGRAM)
    tiny.write("helper.py", HELPER)
    for _ in range(2):
        done = tiny("run", "main.py")
        assert (done.status, done.out, done.err) == (0, "3\n", "")
    log = (tmp_path / "log").read_text().splitlines()
    assert log == ["__main__: 2 functions", "helper: 2 functions"] * 2


def test_doctor_shows_it(tiny: Any) -> None:
    report = json.loads(tiny("doctor", "--json").out)
    backends = {found["name"]: found for found in report["backends"]}
    assert backends["tiny"]["text"] == "ready (tiny-backend 1.0)"
    assert backends["tiny: tweezers"]["text"] == "not found: tiny things are hard to hold"


def test_it_emits(tiny: Any) -> None:
    tiny.write("main.py", HELPER)
    done = tiny("emit", "--stage", "listing", "-O3", "main.py")
    assert (done.status, done.out) == (0, "; __main__ at level 3\n<module>\ng\n")
    done = tiny("emit", "--stage", "listings", "main.py")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'listing'?" in done.err


def test_an_artifact_needs_a_library_that_the_system_loads(tiny: Any) -> None:
    tiny.write("main.py", HELPER)
    done = tiny("build", "main.py", "-o", "out")
    assert done.status == 2
    assert "E2101" in done.err


def test_a_refused_unit_runs_under_cpython(tiny: Any) -> None:
    tiny.write("main.py", "def refused_f():\n    return 7\nprint(refused_f())\n")
    done = tiny("run", "main.py")
    assert (done.status, done.out) == (0, "7\n")
    assert "refused_f is refused" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_disabled_backend_is_not_used(tiny: Any) -> None:
    tiny.write("main.py", HELPER)
    tiny.write("pyproject.toml", "[tool.ppy.backends.tiny]\nenabled = false\n")
    done = tiny("run", "main.py")
    assert done.status == 2
    assert "disables it" in done.err


def test_level_zero_and_unset_do_not_share_a_program(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", HELPER)
    tiny("run", "main.py")
    tiny("run", "-O0", "main.py")
    listings = sorted(path.read_text().splitlines()[0] for path in (tmp_path / "cache").rglob("unit.tiny"))
    assert listings == ["; __main__ at level 0", "; __main__ at level 2"]
