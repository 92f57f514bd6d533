"""PPY's conformance kit, on a unit made from a program, and a program that has to print what it prints under Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ppy_backends.foogen.backend import create_backend
from ppy_compiler.backends import Backend, Options, Unit
from ppy_compiler.backends.testing import BackendConformance
from ppy_compiler.driver import stages
from ppy_compiler.plugins.registry import NO_PLUGINS
from ppy_compiler.support.source import Source

PROGRAM = """\
def total(n: int) -> int:
    found = 0
    for i in range(n):
        found += i * i % 7
    return found


print(total(10), [total(n) for n in range(3)])
"""


class TestFoogen(BackendConformance):
    def make_backend(self) -> Backend:
        return create_backend()

    def make_unit(self) -> Unit:
        source = Source.from_text(PROGRAM, "program.py")
        code = stages.compiled(source)
        module = stages.structured(stages.python_ir(source, "program", code), NO_PLUGINS)
        return stages.native(module, stages.typed(module, NO_PLUGINS), code, Options())


def test_a_program(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(PROGRAM)
    environ = {**os.environ, "PPY_CACHE_DIR": str(tmp_path / "cache")}

    def run(*command: str) -> str:
        return subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=True).stdout

    ppy = (sys.executable, "-m", "ppy_compiler", "run", "--backend", "foogen")
    assert run(*ppy, "main.py") == run(sys.executable, "main.py")
