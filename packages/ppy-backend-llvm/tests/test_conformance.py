"""The kit that every backend is held to, on a unit with unboxed numbers, objects, exceptions and a closure."""

from __future__ import annotations

import pytest
from ppy_backends.llvm.backend import create_backend
from ppy_compiler.backends import Backend, Options, Unit
from ppy_compiler.backends.testing import BackendConformance
from ppy_compiler.driver import stages
from ppy_compiler.plugins.registry import NO_PLUGINS
from ppy_compiler.support.source import Source

PROGRAM = """
def total(n: int) -> int:
    found = 0
    for i in range(n):
        found += i * i % 7
    return found


def first(items):
    try:
        return items[0]
    except IndexError:
        return None


def adder(k):
    return lambda n: n + k


print(total(10), first([]), adder(1)(2))
"""


@pytest.mark.llvm
@pytest.mark.toolchain
class TestLLVM(BackendConformance):
    def make_backend(self) -> Backend:
        return create_backend()

    def make_unit(self) -> Unit:
        source = Source.from_text(PROGRAM, "program.py")
        code = stages.compiled(source)
        module = stages.structured(stages.python_ir(source, "program", code), NO_PLUGINS)
        return stages.native(module, stages.typed(module, NO_PLUGINS), code, Options())
