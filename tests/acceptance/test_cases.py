"""The run cases on every engine: interpreter, native code unoptimised and optimised, cold and warm, with guards that
fail at random, and from an artifact; each against CPython.

`PPY_FAIL_GUARDS=seed` (`nox -s guards`) chooses the seed of the runs whose guards fail.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUN = [sys.executable, "-m", "ppy_compiler", "run"]
SEED = os.environ.get("PPY_FAIL_GUARDS") or "1"
ENGINES = {
    "interpreter": ([*RUN, "--engine", "interpreter"], {}),
    "unoptimised": ([*RUN, "-O", "0"], {}),
    "optimised": (RUN, {}),
    "guards": (RUN, {"PPY_FAIL_GUARDS": SEED}),
}
TIMEOUT = 300
DIFFERENT = {("lifetimes", "interpreter"): "the interpreter lets an unused result go when the function ends"}
"""What does not agree yet, and why; strict, so that mending it takes the line away."""
COMBINATIONS = [
    pytest.param(
        path,
        engine,
        id=f"{path.stem}-{engine}",
        marks=[pytest.mark.xfail(strict=True, reason=DIFFERENT[path.stem, engine])]
        if (path.stem, engine) in DIFFERENT
        else [],
    )
    for path in sorted((HERE / "cases").glob("*.py"))
    for engine in ENGINES
]


def execute(command: list[str], cache: Path, **more: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error; addresses of objects are masked."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PPY_") or name == "PPY_VERIFY"}
    environ = {**kept, "PYTHONHASHSEED": "0", "PPY_CACHE_DIR": str(cache), "PPY_STRICT_INTERNAL": "1"}
    environ |= more
    done = subprocess.run(command, cwd=HERE, env=environ, capture_output=True, timeout=TIMEOUT, text=True)
    masked = [re.sub("0x[0-9a-f]{6,}", "0x", text) for text in (done.stdout, done.stderr)]
    return done.returncode, masked[0], masked[1]


@pytest.mark.llvm
@pytest.mark.parametrize(("path", "engine"), COMBINATIONS)
def test_case(path: Path, engine: str, tmp_path: Path) -> None:
    command, environ = ENGINES[engine]
    wanted = execute([sys.executable, str(path)], tmp_path)
    assert execute([*command, str(path)], tmp_path, **environ) == wanted
    if engine == "optimised":
        assert execute([*command, str(path)], tmp_path, **environ) == wanted, "warm"


@pytest.mark.llvm
def test_from_an_artifact(tmp_path: Path) -> None:
    """Standard error names the source that was built into the artifact."""
    path, built = HERE / "cases" / "handlers.py", tmp_path / "built"
    made = execute([sys.executable, "-m", "ppy_compiler", "build", str(path), "-o", str(built)], tmp_path / "cache")
    assert made[0] == 0, made[2]
    moved = built.rename(tmp_path / "moved")
    wanted = execute([sys.executable, str(path)], tmp_path)
    found = execute([str(moved / "handlers")], tmp_path)
    assert found[:2] == wanted[:2]
    assert found[2].splitlines()[-1] == wanted[2].splitlines()[-1]
