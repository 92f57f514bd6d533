"""Programs over a library that a plugin models: CPython, the interpreter and native code agree, guards or no guards."""

from __future__ import annotations

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
