"""What the frontend's tests share: the programs under ``cases`` and Python IR from text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType

import pytest
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.frontend import build_module, compile_code
from ppy_compiler.ir.printer import print_op
from ppy_compiler.support.source import Source

CASES = Path(__file__).with_name("cases")
Functions = Callable[[str], dict[str, Func]]
Text = Callable[..., str]


def case_paths() -> Iterator[Path]:
    """Programs for the running Python: ``py312_x.py`` needs 3.12."""
    for path in sorted(CASES.glob("*.py")):
        version = re.match(r"py3(\d+)_", path.name)
        if version is None or sys.version_info >= (3, int(version[1])):
            yield path


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", list(case_paths()), ids=lambda path: path.stem)


def functions_of(text: str) -> dict[str, Func]:
    module = build_module(Source.from_text(text), "test")
    return {op.sym: op for op in module.body.entry.ops if isinstance(op, Func)}


@pytest.fixture
def functions() -> Functions:
    """The functions of a source text by their symbol."""
    return functions_of


@pytest.fixture
def text() -> Text:
    """The printed body of one function of a source text, without places, attributes' braces kept."""

    def printed(source: str, sym: str = "f") -> str:
        lines = print_op(functions_of(source)[sym]).splitlines()[1:-1]
        return "\n".join(re.sub(r" @ [\d:-]+$", "", line) for line in lines)

    return printed


@pytest.fixture
def code_at() -> Callable[[CodeType, tuple[int, ...]], CodeType]:
    def find(code: CodeType, path: tuple[int, ...]) -> CodeType:
        for index in path:
            code = code.co_consts[index]
        return code

    return find


@pytest.fixture
def compiled(case: Path) -> tuple[CodeType, list[Func]]:
    """A case's code object and the functions built from it."""
    source = Source.read(case)
    code = compile_code(source)
    module = build_module(source, "case", code)
    return code, [op for op in module.body.entry.ops if isinstance(op, Func)]
