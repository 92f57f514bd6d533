"""IR filetests: a ``.ppyir`` file says in its first line what to do and at its end, after ``; | ``, what comes of it.

==========================  ============================================================================================
``; print``                 the canonical text
``; verify``                the broken rules, one a line, or ``well formed``
``; optimize PASS ...``     the text after these passes
``; interpret``             standard output, then the uncaught exception
==========================  ============================================================================================

``pytest --update`` rewrites the expectations.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest
from ppy_compiler.dialects import dump, load
from ppy_compiler.dialects.py.reference.run import run_module
from ppy_compiler.ir.core import Operation
from ppy_compiler.ir.printer import print_op
from ppy_compiler.ir.verifier import find_problems, verify
from ppy_compiler.passes import pipeline
from ppy_compiler.passes.table import ORDER, TABLE

FOLDER = Path(__file__).parent / "filetests"
FILES = sorted(FOLDER.rglob("*.ppyir"))
EXPECTED = "; | "


def printed(module: Operation, args: list[str]) -> str:
    return print_op(module)


def verified(module: Operation, args: list[str]) -> str:
    return "\n".join(map(str, find_problems(module))) or "well formed"


def optimized(module: Operation, args: list[str]) -> str:
    pipeline(args, TABLE, ORDER).run(module, verify_each=True)
    return print_op(module)


def interpreted(module: Any, args: list[str]) -> str:
    verify(module)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            run_module(module, None, {"__name__": "__main__"})
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return output.getvalue().rstrip("\n")


COMMANDS = {"print": printed, "verify": verified, "optimize": optimized, "interpret": interpreted}


@pytest.mark.parametrize("path", [pytest.param(p, id=str(p.relative_to(FOLDER))) for p in FILES])
def test_file(path: Path, pytestconfig: pytest.Config) -> None:
    lines = path.read_text().splitlines()
    source = "\n".join(line for line in lines if not line.startswith(EXPECTED.rstrip())) + "\n"
    expected = [line[len(EXPECTED) :] for line in lines if line.startswith(EXPECTED.rstrip())]
    command, *args = lines[0].removeprefix(";").split()
    module = load(source)
    assert dump(load(dump(module))) == dump(module), "the text does not read back to the same bytes"
    got = COMMANDS[command](module, args).splitlines()
    if pytestconfig.getoption("--update"):
        path.write_text(source + "\n".join((EXPECTED + line).rstrip() for line in got) + "\n")
        return
    assert got == expected, f"{path.name} gives something else (`pytest --update` accepts it)"


def test_every_kind_is_there() -> None:
    assert {p.parent.name for p in FILES} == set(COMMANDS)
