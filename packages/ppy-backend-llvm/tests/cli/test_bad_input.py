"""Bad input to programs that run natively: signals, deep recursion, damaged libraries; and what a start imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.llvm
TIMEOUT = 60
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PPY_") or name == "PPY_VERIFY"}
    return {**kept, "PPY_CACHE_DIR": str(tmp_path / "cache"), "PPY_STRICT_INTERNAL": "1", "PYTHONHASHSEED": "0"}


@pytest.fixture
def run(tmp_path: Path, environment: dict[str, str]) -> Run:
    def call(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    return call


def same_as_python(run: Run, name: str) -> subprocess.CompletedProcess[str]:
    wanted = run(name)
    for _ in range(2):
        found = run("-m", "ppy_compiler", "run", name)
        assert (found.returncode, found.stdout, found.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)
    return wanted


LOOP = """
def spin(n: int) -> int:
    total = 0
    for i in range(n):
        total ^= i * 3 + (total >> 1)
    return total


print("ready", flush=True)
spin(10**13)
"""


def test_interrupting_a_native_loop(tmp_path: Path, environment: dict[str, str], run: Run) -> None:
    """Ctrl-C stops it at once, with the status and the last line of CPython."""
    (tmp_path / "main.py").write_text(LOOP)
    process = subprocess.Popen(
        [sys.executable, "-m", "ppy_compiler", "run", "main.py"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, error = process.communicate(timeout=TIMEOUT)
    assert time.monotonic() - sent < 5  # generous: the machine may be busy
    assert process.returncode == -signal.SIGINT
    assert error.decode().splitlines()[-1] == "KeyboardInterrupt"


def test_deep_native_recursion(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.py").write_text(
        "import sys\n\n\ndef depth(n: int) -> int:\n    return n + depth(n + 1)\n\n\n"
        "for limit in (1000, 5000):\n    sys.setrecursionlimit(limit)\n    try:\n        depth(0)\n"
        "    except RecursionError as error:\n        print(type(error).__name__, str(error)[:32])\n"
    )
    assert same_as_python(run, "main.py").stdout.count("RecursionError maximum recursion depth") == 2


@pytest.mark.parametrize("damage", ["truncated", "altered", "removed"])
def test_a_damaged_library_in_the_cache(tmp_path: Path, run: Run, damage: str) -> None:
    (tmp_path / "main.py").write_text("def f(n: int) -> int:\n    return n * 7\n\n\nprint(f(6))\n")
    assert run("-m", "ppy_compiler", "run", "main.py").stdout == "42\n"
    libraries = list((tmp_path / "cache").rglob("*.so"))
    assert libraries
    for library in libraries:
        data = library.read_bytes()
        library.unlink()
        if damage != "removed":
            library.write_bytes(data[: len(data) // 2] if damage == "truncated" else data[:-1] + b"\x01")
    done = run("-m", "ppy_compiler", "run", "main.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n", "")


def test_an_artifact_with_a_damaged_library_runs_from_source(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.py").write_text("def f(n: int) -> int:\n    return n * 7\n\n\nprint(f(6))\n")
    assert run("-m", "ppy_compiler", "build", "main.py", "-o", "out").returncode == 0
    (library,) = (tmp_path / "out").rglob("__main__.so")
    library.write_bytes(library.read_bytes()[:100])
    done = run("-m", "ppy_runtime", "out")
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert done.stderr == f"ppy: warning: __main__ runs from source: '{library}' was altered after the build\n"
    assert "was altered after the build" in run("-m", "ppy_runtime", "out", PPY_VERBOSE="1").stderr


def test_artifacts_are_the_same_bytes_anywhere(tmp_path: Path, run: Run) -> None:
    seen = []
    for number in ("1", "2"):
        folder = tmp_path / f"folder {number}"
        (folder / "pkg").mkdir(parents=True)
        (folder / "main.py").write_text(
            "import pkg.inner\n\n\ndef f(n: int) -> int:\n    return n\n\n\nprint(pkg.inner.g(f(3)))\n"
        )
        (folder / "pkg" / "__init__.py").write_text("")
        (folder / "pkg" / "inner.py").write_text("def g(n: int) -> int:\n    return n + 1\n")
        options = {"PPY_CACHE_DIR": str(tmp_path / number), "PYTHONHASHSEED": number}
        out = tmp_path / f"out {number}"
        built = run("-m", "ppy_compiler", "build", str(folder / "main.py"), "-o", str(out), **options)
        assert built.returncode == 0, built.stderr
        files = sorted(path for path in out.rglob("*") if path.is_file())
        seen.append([(path.relative_to(out).as_posix(), path.read_bytes()) for path in files])
        assert run("-m", "ppy_runtime", str(out)).stdout == "4\n"
    assert seen[0] == seen[1]


def test_a_native_start_imports_little_of_the_library(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.py").write_text("import sys\nprint(*sorted(sys.modules))\n")
    run("-m", "ppy_compiler", "run", "main.py")
    before = set(run("-c", "import runpy, sys; print(*sorted(sys.modules))").stdout.split())
    more = set(run("-m", "ppy_compiler", "run", "main.py").stdout.split()) - before
    heavy = {
        "json",
        "dataclasses",
        "inspect",
        "typing",
        "argparse",
        "pathlib",
        "subprocess",
        "tempfile",
        "ast",
        "llvmlite",
    }
    assert not more & heavy


def test_without_a_linker(tmp_path: Path, run: Run) -> None:
    """Programs still run; an artifact needs one."""
    (tmp_path / "main.py").write_text("def f(n: int) -> int:\n    return n * 7\n\n\nprint(f(6))\n")
    (tmp_path / "nothing").mkdir()
    path = {"PATH": str(tmp_path / "nothing"), "CC": ""}
    done = run("-m", "ppy_compiler", "build", "main.py", "-o", "out", **path)
    assert (done.returncode, "E2101" in done.stderr) == (2, True)
    done = run("-m", "ppy_compiler", "run", "main.py", **path)
    assert (done.returncode, done.stdout) == (0, "42\n")
