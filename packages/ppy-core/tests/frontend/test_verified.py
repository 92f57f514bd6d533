"""What is built is well formed and survives printing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ppy_compiler.dialects import op_class
from ppy_compiler.frontend import build_module
from ppy_compiler.ir.parser import parse_module
from ppy_compiler.ir.printer import print_op
from ppy_compiler.ir.verifier import verify
from ppy_compiler.support.source import Source

LIBRARY = Path(json.__file__).parents[1]
MODULES = ["argparse.py", "asyncio/streams.py", "tarfile.py", "typing.py"]


def test_cases(case: Path) -> None:
    module = build_module(Source.read(case), "case")
    verify(module)
    text = print_op(module)
    assert print_op(parse_module(text, op_class)) == text


@pytest.mark.parametrize("module", MODULES)
def test_the_standard_library(module: str) -> None:
    verify(build_module(Source.read(LIBRARY / module), module))


def test_building_twice_gives_the_same(case: Path) -> None:
    first, second = (print_op(build_module(Source.read(case), "case")) for _ in range(2))
    assert first == second
