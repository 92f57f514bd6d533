"""Random programs run natively as under CPython, also when guards fail at random.

Continuous integration tries a few; `python tests/fuzz/test_fuzz.py full 1000 50` tries fifty from seed 1000 on, and
leaves those that disagree in the current folder.
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from full import Full
from generator import Writer
from numeric import Numeric

PROFILES: dict[str, tuple[type[Writer], int]] = {"numeric": (Numeric, 12), "full": (Full, 8)}
FUNCTIONS = 12
TIMEOUT = 120


def program(profile: str, seed: int) -> str:
    writer, calls = PROFILES[profile]
    return writer(seed).program(FUNCTIONS, calls)


def run(command: list[str], **more: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PPY_") or name == "PPY_VERIFY"}
    environ = {**kept, "PYTHONHASHSEED": "0", "PPY_STRICT_INTERNAL": "1", **more}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=TIMEOUT)
    return f"{ordered(done.stdout)}\n{done.returncode}\n{done.stderr}"


def ordered(text: str) -> str:
    """Deaths are sorted within each call: a native frame that raised keeps no locals, and arguments die after it."""
    out: list[str] = []
    gone: list[str] = []
    for line in text.splitlines():
        (gone if line.startswith("gone") else out).append(line)
        if " <- " in line:
            out += sorted(gone)
            gone.clear()
    return "\n".join([*out, *sorted(gone)])


def disagreement(path: Path, cache: Path, guards: str = "") -> tuple[str, str] | None:
    """What CPython and native code print where that is not the same; programs that take too long say nothing."""
    try:
        wanted = run([sys.executable, str(path)])
    except subprocess.TimeoutExpired:
        return None
    more = {"PPY_FAIL_GUARDS": guards} if guards else {}
    found = run([sys.executable, "-m", "ppy_compiler", "run", str(path)], PPY_CACHE_DIR=str(cache), **more)
    return None if found == wanted else (wanted, found)


@pytest.mark.llvm
@pytest.mark.parametrize("guards", ["", os.environ.get("PPY_FAIL_GUARDS") or "1"], ids=["whole", "guards"])
@pytest.mark.parametrize("profile", PROFILES)
def test_random_program(profile: str, guards: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program(profile, 100 + len(guards)), encoding="utf-8")
    found = disagreement(path, tmp_path / "cache", guards)
    if found is not None:
        wanted, got = (text.splitlines() for text in found)
        pytest.fail("\n".join(difflib.unified_diff(wanted, got, "cpython", "native", lineterm="", n=1)))


def main(profile: str, start: str, count: str, guards: str = "") -> None:
    wrong = 0
    for seed in range(int(start), int(start) + int(count)):
        path = Path(f"{profile}_{seed}.py").absolute()
        path.write_text(program(profile, seed), encoding="utf-8")
        if disagreement(path, Path(".fuzz-cache").absolute(), guards) is None:
            path.unlink()
            continue
        wrong += 1
        print(f"{path}: native code disagrees")
    print(f"{count} programs, {FUNCTIONS} functions each: {wrong} disagree")


if __name__ == "__main__":
    main(*sys.argv[1:])
