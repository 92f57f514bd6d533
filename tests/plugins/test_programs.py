"""Programs over a library that a plugin models: CPython, the interpreter and native code agree, guards or no guards."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
SOURCE = """\
#include <stdint.h>
int64_t tiny_scaled(int64_t n, int32_t by) {
    int64_t left = (n * by) % 1000;
    return left < 0 ? left + 1000 : left;
}
"""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_interpreter(project: Any, program: Path) -> None:
    wanted = project.run(str(program))
    assert project.ppy("run", "--engine", "interpreter", str(program))[:2] == wanted[:2]


@pytest.mark.llvm
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_native(project: Any, program: Path) -> None:
    project.write("main.py", program.read_text(encoding="utf-8"))
    wanted = project.run("main.py")
    assert wanted[0] == 0
    assert project.ppy("run", "main.py") == wanted
    assert project.ppy("run", "main.py") == wanted
    for seed in ("1", "2"):
        assert project.ppy("run", "main.py", PPY_FAIL_GUARDS=seed)[:2] == wanted[:2]


@pytest.mark.llvm
@pytest.mark.toolchain
def test_a_c_function(project: Any) -> None:
    """With the C library beside the package its function is called; one that answers something else proves it."""
    library = project.site / "tinylib" / "_tiny.so"
    program = (Path(__file__).parent / "programs" / "direct.py").read_text(encoding="utf-8")
    project.write("main.py", program)
    wanted = project.run("main.py")
    project.write("tiny.c", SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, "tiny.c"], cwd=project.folder, check=True)
    assert project.ppy("run", "main.py") == wanted
    assert project.ppy("run", "main.py", PPY_FAIL_GUARDS="1") == wanted
    project.write("tiny.c", SOURCE.replace(": left;", ": left + 1;"))
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, "tiny.c"], cwd=project.folder, check=True)
    assert project.ppy("run", "main.py")[1] != wanted[1]
    library.write_bytes(b"no library")
    assert project.ppy("run", "main.py") == wanted


@pytest.mark.llvm
def test_the_fast_body_calls_nobody(project: Any) -> None:
    project.write(
        "main.py",
        "import tinylib\n\n\ndef f(x: float, n: int) -> float:\n    s = tinylib.cube(2.0)\n    for i in range(n):\n"
        "        s += tinylib.root(x) + tinylib.cube(x) + tinylib.quotient(x)\n    return s\n",
    )
    text = project.ppy("emit", "--stage", "native", "main.py")[1]
    fast = next(part for part in text.split("func.func") if "sym='fast.f'" in part)
    assert "ppy_math_sqrt" in fast
    assert "kind='fmul'" in fast
    assert "kind='fdiv'" in fast
    assert "literal=8.0" in fast  # the pattern folded the cube of a constant
    assert "tiny." not in fast.replace("library.tiny", "").replace("source='tiny", "")
    assert "Vectorcall" not in fast


@pytest.mark.llvm
def test_another_model_is_another_program(project: Any) -> None:
    """What was compiled under a plugin is not used under the next version of it, function by function, either."""
    project.write(
        "main.py", "import tinylib\n\n\ndef f(x: float) -> float:\n    return tinylib.cube(x)\n\n\nprint(f(2.0))\n"
    )
    assert project.ppy("run", "main.py")[1] == "8.0\n"
    dialect = project.site / "tiny_plugin" / "dialect.py"
    text = dialect.read_text(encoding="utf-8")
    dialect.write_text(text.replace("range(op.exponent - 1)", "range(op.exponent)"), encoding="utf-8")
    assert project.ppy("run", "main.py")[1] == "16.0\n"
    dialect.write_text(text, encoding="utf-8")
    assert project.ppy("run", "main.py")[1] == "8.0\n"


@pytest.mark.llvm
def test_a_spec_that_cannot_be_followed(project: Any) -> None:
    """The program runs under CPython, with one line that names plugin and place; other commands stop there."""
    project.write("main.py", "import tinylib\n\n\ndef f(x: float):\n    return tinylib.cube(x)\n\n\nprint(f(2.0))\n")
    status, out, err = project.ppy("run", "main.py", TINY_SPEC="operation")
    assert (status, out, len(err.splitlines())) == (0, "8.0\n", 1)
    wrong = "the plugin `tiny` lowers `tinylib.cube` to `tiny.powr`, but the dialect has no such operation"
    assert err.startswith(f"ppy: main.py:5: error[E1906]: {wrong}")
    for command in ("check", "explain"):
        status, out, err = project.ppy(command, "main.py", TINY_SPEC="operation")
        assert status == 2
        assert wrong in out + err
        assert "main.py:5:12" in out + err
    assert "error[E1907]" in project.ppy("run", "main.py", TINY_SPEC="parameter")[2]
    assert "error[E1902]" in project.ppy("run", "main.py", TINY_SPEC="left")[2]


@pytest.mark.llvm
@pytest.mark.toolchain
def test_an_artifact_needs_no_plugin(project: Any) -> None:
    """What was lowered is in the artifact; the plugin, like the compiler, is not needed where it runs."""
    programs = Path(__file__).parent / "programs"
    project.write("main.py", "\n".join((programs / f"{name}.py").read_text() for name in ("intrinsic", "operations")))
    project.write("tiny.c", SOURCE)
    wanted = project.run("main.py")
    assert project.ppy("build", "main.py", "-o", "built")[0] == 0
    shutil.rmtree(project.site / "tiny_plugin")
    shutil.rmtree(project.site / "tiny_plugin-1.0.dist-info")
    status, out, err = project.run("-m", "ppy_runtime", "built", PPY_VERBOSE="1")
    assert (status, out) == wanted[:2]
    assert "source" not in err.replace("main.py", "")


@pytest.mark.llvm
def test_a_module_of_the_program_is_no_library(project: Any) -> None:
    """A module of the project's own that goes by the library's name is compiled as what it is, once it is there."""
    project.write(
        "main.py",
        "import tinylib\n\n\ndef f(x: float) -> float:\n"
        "    return tinylib.cube(x) + tinylib.root(x)\n\n\nprint(f(4.0))\n",
    )
    assert project.ppy("run", "main.py")[1] == "66.0\n"
    project.write("tinylib.py", "def cube(x):\n    return 1.0\n\n\ndef root(x):\n    return 0.5\n")
    assert project.ppy("run", "main.py")[1] == "1.5\n"
    assert project.ppy("run", "main.py")[1] == "1.5\n"
    assert "library.tinylib" not in project.ppy("emit", "--stage", "native", "main.py")[1]
    (project.folder / "tinylib.py").unlink()
    assert project.ppy("run", "main.py")[1] == "66.0\n"


def test_findings_follow_the_plugin(project: Any) -> None:
    """`ppy check` keeps what it found under a key that holds the plugins, and the absence of such a module here."""
    project.write("main.py", "import tinylib\n\ntinylib.never()\n")
    check = ("check", "--output-format", "concise", "main.py")
    wanted = "main.py:3:1: E1113 `tinylib.never` always raises RuntimeError\n"
    assert [project.ppy(*check)[1] for _ in range(2)] == [wanted] * 2
    plugin = project.site / "tiny_plugin" / "plugin.py"
    plugin.write_text(plugin.read_text(encoding="utf-8").replace("always raises", "never returns"), encoding="utf-8")
    assert project.ppy(*check)[1] == wanted.replace("always raises", "never returns")
    project.write("tinylib.py", "def never():\n    return 1\n")
    assert project.ppy(*check)[1] == ""
