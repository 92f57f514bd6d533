"""`ppy run` as a program sees it: its own process, streams and status; and what a start may import."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

WARM_START = {
    "ppy_compiler", "ppy_compiler.cli", "ppy_compiler.cli.main", "ppy_compiler.cli.runline", "ppy_compiler.driver",
    "ppy_compiler.driver.settings",
}  # fmt: skip
SHOW_MODULES = "import sys\nprint(*sorted(name for name in sys.modules if name.startswith('ppy_compiler')))\n"


def test_a_start_imports_no_compiler(tiny: Any) -> None:
    """Not even the one that compiled: the program gets a fresh process."""
    tiny.write("main.py", SHOW_MODULES)
    for _ in range(2):
        done = tiny("run", "main.py")
        assert set(done.out.split()) - {"ppy_compiler.__main__"} <= WARM_START


def test_arguments_streams_and_status(tiny: Any) -> None:
    tiny.write("main.py", "import sys\nprint(sys.argv, input())\nprint('to err', file=sys.stderr)\nsys.exit(7)\n")
    for _ in range(2):
        done = tiny("run", "main.py", "-O", "--", "-x", "", stdin="line\n")
        assert (done.status, done.out, done.err) == (7, "['main.py', '-O', '--', '-x', ''] line\n", "to err\n")


@pytest.mark.parametrize("engine", ["native", "interpreter", "python"])
def test_every_engine_agrees(tiny: Any, engine: str) -> None:
    tiny.write(
        "main.py",
        "import sys, other\n\n\ndef f(n):\n    try:\n        return other.g(n)\n"
        "    finally:\n        print('done', n)\n\n\n"
        "print(f(3), __name__, __file__ == sys.argv[0] or __file__.endswith(sys.argv[0]))\nf(0)\n",
    )
    tiny.write("other.ppy", "def g(n):\n    return 6 // n\n")
    wanted = (1, "done 3\n2 __main__ True\ndone 0\n")
    for _ in range(2):
        done = tiny("run", f"--engine={engine}", "main.py")
        if engine == "python":  # which does not know `.ppy`
            assert "ModuleNotFoundError" in done.err
            continue
        assert (done.status, done.out) == wanted
        assert done.err.endswith("ZeroDivisionError: integer division or modulo by zero\n")
        assert "ppy_compiler" not in done.err


def test_the_interpreter_passes_the_tracebacks_on(ppy: Any) -> None:
    ppy.write("main.py", "def f(n):\n    return 1 // n\n\n\nf(0)\n")
    wanted = ppy.python("main.py")
    done = ppy("run", "--engine", "interpreter", "main.py")
    assert (done.status, done.out, done.err) == (wanted.status, wanted.out, wanted.err)


def test_the_environment_and_the_project_choose_too(tiny: Any) -> None:
    tiny.write("main.py", SHOW_MODULES)
    assert "ppy_compiler.ir" in tiny("run", "main.py", PPY_ENGINE="interpreter").out
    tiny.write("pyproject.toml", "[tool.ppy]\nengine = 'interpreter'\n")
    assert "ppy_compiler.ir" in tiny("run", "main.py").out
    assert "ppy_compiler.ir" not in tiny("run", "--engine", "native", "main.py").out


def test_strict(tiny: Any) -> None:
    """A project that promises to be native is held to it; `--no-strict` runs the program all the same."""
    tiny.write("main.py", "def evens(n):\n    for i in range(n):\n        yield 2 * i\n\n\nprint(list(evens(3)))\n")
    tiny.write("pyproject.toml", "[tool.ppy]\nstrict = ['stayed-python']\n")
    done = tiny("run", "main.py")
    assert (done.status, done.out) == (1, "")
    assert "error[R4001]" in done.err
    assert tiny("build", "main.py", "-o", "out").status == 1
    assert tiny("run", "--no-strict", "main.py").out == "[0, 2, 4]\n"
    done = tiny("check", "--output-format", "concise", "main.py")
    assert (done.status, "R4001" in done.out) == (1, True)


def test_remarks(tiny: Any) -> None:
    tiny.write("main.py", "def evens(n):\n    yield n\n\n\nprint(list(evens(3)))\n")
    for _ in range(2):
        done = tiny("run", "--remarks", "all", "main.py")
        assert done.out == "[3]\n"
        assert "R4001" in done.err


def test_a_damaged_library_is_built_again_or_said(tiny: Any, tmp_path: Path) -> None:
    """The program's own at once; that of a module is noticed when the program runs already."""
    tiny.write("main.py", "import helper\nprint(helper.N)\n")
    tiny.write("helper.py", "N = 1\n")
    tiny("run", "main.py")
    said = []
    for library in (tmp_path / "cache").rglob("unit.tiny"):
        library.write_text("altered\n")
        done = tiny("run", "main.py")
        assert done.out == "1\n"
        said.append(done.err)
    quiet, warning = sorted(said)
    assert quiet == ""
    assert re.fullmatch(r"ppy: warning: helper runs from source: '.*' was altered after the build\n", warning)


def test_without_any_backend_the_program_runs(ppy: Any) -> None:
    ppy.write("main.py", "print(6 * 7)\n")
    ppy.write("pyproject.toml", "[tool.ppy.backends.llvm]\nenabled = false\n")
    done = ppy("run", "main.py")
    assert (done.status, done.out) == (0, "42\n")


def test_doctor_and_config_read_by_machines(ppy: Any) -> None:
    ppy.write("pyproject.toml", "[tool.ppy]\nopt-level = 3\n")
    config = json.loads(ppy("config", "--json").out)
    assert config["opt-level"] == {
        "value": 3, "origin": "pyproject.toml:2", "flag": "--opt-level", "env": "PPY_OPT_LEVEL",
    }  # fmt: skip
    assert config["unsafe"]["origin"] == "default"
    report = json.loads(ppy("doctor", "--json").out)
    assert set(report) == {"python", "versions", "backends", "plugins", "cache"}
    assert all({"name", "ok", "text"} == set(found) for section in report.values() for found in section)


def test_cache_info_and_clear(tiny: Any) -> None:
    tiny.write("main.py", "print(1)\n")
    tiny("run", "main.py")
    rows = json.loads(tiny("cache", "info", "--json").out)
    assert rows[0]["files"] > 3
    assert rows[0]["bytes"] > 100
    assert json.loads(tiny("cache", "clear", "--json").out)["removed"] == rows[0]["files"]
    assert json.loads(tiny("cache", "info", "--json").out)[0]["files"] == 0
    assert tiny("run", "main.py").out == "1\n"


def test_explain(tiny: Any) -> None:
    assert tiny("explain", "e1101").out.startswith("# E1101: ")
    assert tiny("explain", "argument-type").out.startswith("# E1101: ")
    done = tiny("explain", "argument-typ")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'argument-type'?" in done.err
    tiny.write("main.py", "def f(n: int) -> int:\n    return n\n\n\ndef g():\n    yield 1\n")
    done = tiny("explain", "main.py")
    assert "native   f" in done.out
    assert "Python   g  R4001" in done.out
    functions = json.loads(tiny("explain", "--json", "main.py").out)["modules"][0]["functions"]
    assert [(f["qualname"], f["status"], f["reason"]) for f in functions][1:] == [
        ("f", "native", ""),
        ("g", "python", "R4001"),
    ]


@pytest.mark.parametrize("stage", ["ast", "py", "typed", "native"])
def test_emit(ppy: Any, stage: str) -> None:
    ppy.write("main.py", "def f(n: int) -> int:\n    return n + 1\n")
    done = ppy("emit", "--stage", stage, "main.py")
    assert (done.status, done.err) == (0, "")
    wanted = {"ast": "FunctionDef(", "py": "py.binary", "typed": "; int[i64] guarded", "native": "func.func"}
    assert wanted[stage] in done.out


def test_check_formats(ppy: Any) -> None:
    ppy.write("bad.py", "print(undefined_name)\n")
    ppy.write("good.py", "print(1)\n")
    ppy.write(".hidden/bad.py", "print(undefined_name)\n")
    done = ppy("check")
    assert done.status == 1
    assert "E1107" in done.out
    assert done.err == "1 error\n"
    assert (ppy("check", "good.py").status, ppy("check", "good.py").err) == (0, "no errors\n")
    ppy.write("notes/todo.txt", "nothing\n")
    assert ppy("check", "notes").err == "no errors, for there is no .py or .ppy file to look at\n"
    document = json.loads(ppy("check", "--json", "bad.py", "good.py").out)
    assert [found["code"] for found in document["diagnostics"]] == ["E1107"]
    assert json.loads(ppy("check", "--output-format", "sarif").out)["version"] == "2.1.0"
    assert ppy("check", "--output-format", "github").out.startswith("::error ")
