"""Native IR is well formed for the run cases, and each kind of fault is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from ppy_backends.llvm.checks import faults
from ppy_compiler.backends.interface import Options, Unit
from ppy_compiler.dialects import arith, cf, func, mem
from ppy_compiler.frontend import build_module, compile_code
from ppy_compiler.infer import analyze
from ppy_compiler.ir.types import F64, I64
from ppy_compiler.lower import lower_module
from ppy_compiler.passes.structural import run_structural
from ppy_compiler.support.source import Source

CASES = sorted((Path(__file__).resolve().parents[4] / "tests" / "acceptance" / "cases").glob("*.py"))
TEXT = """
def f(n: int) -> int:
    total = 0
    for i in range(n):
        total += i * n
    return total
"""


def lowered(source: Source) -> Unit:
    code = compile_code(source)
    module = build_module(source, "case", code)
    run_structural(module)
    return lower_module(module, analyze(module), code, Options())


def fast(unit: Unit) -> func.Func:
    return next(op for op in unit.module.regions[0].entry.ops if isinstance(op, func.Func) and op.role == "fast")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_are_well_formed(path: Path) -> None:
    assert list(faults(lowered(Source.read(path)))) == []


@pytest.mark.parametrize("path", CASES[:2], ids=lambda path: path.stem)
def test_with_guards_that_fail(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPY_FAIL_GUARDS", "1")
    assert list(faults(lowered(Source.read(path)))) == []


def broken(kind: str) -> str:
    unit = lowered(Source.from_text(TEXT, "f.py"))
    function = fast(unit)
    entry = function.body.entry
    if kind == "end":
        entry.ops[-1].erase()
    elif kind == "slot":
        slot, value = mem.Slot(types=[mem.slot_type(I64)]), arith.Const(literal=1.0, types=[F64])
        for index, op in enumerate([slot, value, mem.Set(slot.slot, value.value)]):
            entry.insert(index, op)
    elif kind == "arguments":
        entry.insert(0, func.Call((), callee="ppy_incref", types=()))
    elif kind == "unknown":
        entry.insert(0, func.Call((), callee="ppy_no_such_function", types=()))
    elif kind == "middle":
        entry.insert(0, cf.Unreachable())
    return "\n".join(faults(unit))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("end", "a block without an end in fast.f"),
        ("slot", "mem.set of f64 and a slot<i64> in fast.f"),
        ("arguments", "func.call of ppy_incref with () for ('ptr',) in fast.f"),
        ("unknown", "func.call of ppy_no_such_function, which the support library lacks in fast.f"),
        ("middle", "cf.unreachable in the middle of a block in fast.f"),
    ],
)
def test_faults(kind: str, text: str) -> None:
    assert text in broken(kind)
