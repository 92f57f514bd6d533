"""What a third party runs: the kit, on a unit made from a program."""

from __future__ import annotations

from ppy_compiler.backends import Backend, Options, Unit
from ppy_compiler.backends.testing import BackendConformance
from ppy_compiler.driver import stages
from ppy_compiler.plugins.registry import NO_PLUGINS
from ppy_compiler.support.source import Source
from tiny_backend.backend import create_backend

PROGRAM = "def double(n: int) -> int:\n    return n + n\n\n\nprint(double(21))\n"


class TestTiny(BackendConformance):
    def make_backend(self) -> Backend:
        return create_backend()

    def make_unit(self) -> Unit:
        source = Source.from_text(PROGRAM, "double.py")
        code = stages.compiled(source)
        module = stages.structured(stages.python_ir(source, "double", code), NO_PLUGINS)
        return stages.native(module, stages.typed(module, NO_PLUGINS), code, Options())
