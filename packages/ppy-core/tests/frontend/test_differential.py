"""Every case prints under the reference interpreter what it prints under CPython."""

from __future__ import annotations

import builtins
import contextlib
import io
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ppy_compiler.dialects.py.reference.run import run_module
from ppy_compiler.frontend import build_module, compile_code
from ppy_compiler.support.source import Source


def output(run: Callable[[dict[str, Any]], None], path: Path) -> str:
    module = types.ModuleType("case")
    module.__dict__.update(__file__=str(path), __builtins__=builtins)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(module.__dict__)
    return out.getvalue()


def test_case(case: Path) -> None:
    source = Source.read(case)
    code = compile_code(source)
    module = build_module(source, "case", code)
    expected = output(lambda namespace: exec(code, namespace), case)
    assert output(lambda namespace: run_module(module, code, namespace), case) == expected
