"""The reference interpreter against CPython on whole programs, uncaught exceptions and their tracebacks included."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
SHARED = Path(os.environ.get("PPY_ACCEPTANCE") or HERE.parents[4] / "shared" / "acceptance")
IMPORTED = {"tricky_sibling_ppy"}
TRICKY = [p for p in sorted((SHARED / "tricky").glob("*.ppy")) if p.stem not in IMPORTED]
SIZES = {
    "bigint_mix": 200, "binary_trees": 6, "collatz": 3000, "dijkstra": 500, "fannkuch": 6, "fib": 15, "fmt": 500,
    "generators": 1000, "jsonparse": 50, "levenshtein": 60, "life": 16, "mandelbrot": 40, "matmul": 20, "nbody": 500,
    "queens": 6, "quicksort": 3000, "sieve": 5000, "spectral_norm": 30, "wordcount": 2000,
}
KERNELS = [p for p in sorted((SHARED / "kernels").glob("*.ppy")) if p.stem in SIZES]
NEW_SYNTAX = {"new_syntax": pytest.mark.min_python(3, 12)}


def _named(paths: list[Path]) -> list[Any]:
    return [pytest.param(p, id=p.stem, marks=[NEW_SYNTAX[p.stem]] if p.stem in NEW_SYNTAX else []) for p in paths]


@pytest.mark.parametrize("path", _named(PROGRAMS))
def test_program(agree: Any, path: Path) -> None:
    agree("interpreter", path)


@pytest.mark.parametrize("path", _named(PROGRAMS))
def test_program_after_passes(agree: Any, path: Path) -> None:
    """No pass changes what a program does."""
    agree("optimized", path)


@pytest.mark.acceptance
@pytest.mark.parametrize("path", _named(TRICKY))
def test_tricky(agree: Any, path: Path) -> None:
    agree("interpreter", path)


@pytest.mark.acceptance
@pytest.mark.parametrize("path", _named(KERNELS))
def test_kernel(agree: Any, path: Path) -> None:
    agree("interpreter", path, str(SIZES[path.stem]), "1", errors=False)  # They print times on standard error.
