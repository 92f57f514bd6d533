"""Whole programs natively, cold and warm, against CPython: output, exit status, the whole traceback of an exception.

The programs are those of the interpreter's tests and, where they lie beside the repository, the acceptance programs.
Under `PPY_FAIL_GUARDS=seed` (`nox -s guards`) the same tests prove that a guard may fail anywhere.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

ROOT = Path(__file__).resolve().parents[2]
ACCEPTANCE = Path(os.environ.get("PPY_ACCEPTANCE") or ROOT.parent / "shared" / "acceptance")
HELPERS = {"tricky_sibling_ppy"}
NEW_SYNTAX = {"new_syntax"}
# Where native code is known to differ. Strict: whoever mends one has to take its line away.
DIFFERENT = {
    "lifetimes": "an argument, and a local that `del` names inside `except`, die at another place than under CPython",
}
if sys.version_info < (3, 12):
    DIFFERENT["frames"] = "on 3.11 a bound function has a type of its own, so `type(f) is types.FunctionType` is false"
SIZES = {
    "bigint_mix": 300, "binary_trees": 8, "collatz": 20000, "dijkstra": 1000, "fannkuch": 7, "fib": 22, "fmt": 1000,
    "generators": 5000, "jsonparse": 50, "levenshtein": 100, "life": 24, "mandelbrot": 80, "matmul": 40, "nbody": 2000,
    "queens": 7, "quicksort": 10000, "sieve": 50000, "spectral_norm": 50, "wordcount": 5000,
}  # fmt: skip
TIMEOUT = 120
pytestmark = pytest.mark.llvm


def programs(folder: Path, suffix: str) -> list[ParameterSet]:
    paths = sorted(path for path in folder.glob(f"*{suffix}") if path.stem not in HELPERS)
    return [pytest.param(path, id=path.stem, marks=marks(path.stem)) for path in paths]


def marks(name: str) -> list[pytest.MarkDecorator]:
    found = [pytest.mark.min_python(3, 12)] if name in NEW_SYNTAX else []
    return found + ([pytest.mark.xfail(strict=True, reason=DIFFERENT[name])] if name in DIFFERENT else [])


def execute(command: list[str], path: Path, *arguments: str, cache: Path) -> tuple[int, str, str]:
    """Exit status, standard output, standard error; addresses of objects are masked."""
    environ = {**os.environ, "PYTHONHASHSEED": "0", "PPY_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [*command, str(path), *arguments],
        cwd=path.parent, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
    )  # fmt: skip
    texts = [re.sub(r"0x[0-9a-f]{6,}", "0x", text.decode("utf-8", "replace")) for text in (done.stdout, done.stderr)]
    return done.returncode, texts[0], texts[1]


def agree(path: Path, *arguments: str, cache: Path, errors: bool = True) -> None:
    wanted = execute([sys.executable], path, *arguments, cache=cache)
    for start in ("cold", "warm"):
        found = execute([sys.executable, "-m", "ppy_compiler", "run"], path, *arguments, cache=cache)
        differences = [] if found[0] == wanted[0] else [f"exit status {found[0]} instead of {wanted[0]}"]
        compared = [("stdout", wanted[1], found[1]), ("stderr", wanted[2], found[2])]
        for name, left, right in compared if errors else compared[:1]:
            lines = left.splitlines(), right.splitlines()
            differences += list(difflib.unified_diff(*lines, "cpython", f"native {name}", lineterm="", n=1))[:20]
        assert not differences, "\n".join([f"{path.name}, {start}", *differences])


@pytest.mark.parametrize("path", programs(ROOT / "packages/ppy-core/tests/acceptance/programs", ".py"))
def test_program(path: Path, tmp_path: Path) -> None:
    agree(path, cache=tmp_path)


@pytest.mark.parametrize("path", programs(ACCEPTANCE / "tricky", ".ppy"))
def test_tricky(path: Path, tmp_path: Path) -> None:
    agree(path, cache=tmp_path)


@pytest.mark.parametrize(("name", "size"), SIZES.items() if ACCEPTANCE.is_dir() else [])
def test_kernel(name: str, size: int, tmp_path: Path) -> None:
    """They print their time on standard error."""
    agree(ACCEPTANCE / "kernels" / f"{name}.ppy", str(size), "1", cache=tmp_path, errors=False)
