"""The cache and the disk: damaged, full, shared, interrupted, out of date. None of it changes what a program does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest


def test_a_damaged_cache(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", "print(6 * 7)\n")
    assert tiny("run", "main.py").out == "42\n"
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    for damage in (b"", b"\x00" * 100, None):
        for path in files:
            if path.is_file():
                path.write_bytes(path.read_bytes()[:-7] if damage is None else damage)
        done = tiny("run", "main.py")
        assert (done.status, done.out, done.err) == (0, "42\n", "")


def test_a_library_altered_in_the_cache(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", "print(6 * 7)\n")
    tiny("run", "main.py")
    (library,) = (tmp_path / "cache").rglob("unit.tiny")
    library.write_text("altered")
    assert tiny("run", "main.py").out == "42\n"


@pytest.mark.parametrize("kind", ["file", "missing parent", "none", "full"])
def test_a_cache_directory_that_takes_nothing(tiny: Any, tmp_path: Path, kind: str) -> None:
    """Read-only, full or absent: the next directory is used, and with none the program runs all the same."""
    tiny.write("main.py", "print(6 * 7)\n")
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    place = {"file": str(blocked), "missing parent": str(blocked / "cache"), "none": "none", "full": "/dev/full"}[kind]
    for _ in range(2):
        done = tiny("run", "--cache-dir", place, "main.py")
        assert (done.status, done.out) == (0, "42\n")
        assert re.fullmatch(r"ppy: warning\[W5001\].*\n" if kind == "none" else "", done.err)


@pytest.mark.llvm
def test_a_full_disk(ppy: Any) -> None:
    """No file takes a byte, in the cache or the temporary folder: the program runs all the same."""
    ppy.write("main.py", "print(6 * 7)\n")

    def start(*words: str) -> Any:
        limited = ["sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$@"', "sh", sys.executable, "-m", "ppy_compiler"]
        return subprocess.run(
            [*limited, *words], cwd=ppy.folder, env=ppy.environment, capture_output=True, text=True, check=False
        )

    done = start("run", "main.py")
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert re.fullmatch(r"ppy: error\[E2103\]: a file that the build needs cannot be written: .*\n", done.stderr)
    done = start("build", "main.py", "-o", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error[E2103]: a file that the build needs cannot be written: ")


def test_two_processes_build_the_same(tiny: Any) -> None:
    tiny.write("main.py", "import helper\nprint(helper.g(20))\n")
    tiny.write("helper.py", "def g(n):\n    return n + 1\n")
    both = [tiny.start("run", "main.py") for _ in range(3)]
    assert [process.communicate(timeout=60) for process in both] == [(b"21\n", b"")] * 3


def test_killed_during_a_build(tiny: Any) -> None:
    tiny.write("main.py", "".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(300)) + "print(f7(1))\n")
    for delay in (0.15, 0.3, 0.45):
        process = tiny.start("run", "main.py")
        time.sleep(delay)
        process.kill()
        process.communicate()
    done = tiny("run", "main.py")
    assert (done.status, done.out, done.err) == (0, "8\n", "")


def test_an_edit_is_seen(tiny: Any) -> None:
    """Also one that keeps the size and the time of the file, and one of an imported module."""
    main = tiny.write("main.py", "import helper\nprint(1, helper.N)\n")
    helper = tiny.write("helper.py", "N = 1\n")
    assert tiny("run", "main.py").out == "1 1\n"
    for path, text in ((main, "import helper\nprint(2, helper.N)\n"), (helper, "N = 2\n")):
        status = path.stat()
        path.write_text(text)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert tiny("run", "main.py").out == "2 2\n"
    tiny.write("colorsys.py", "N = 5\n")  # found in the place of the library's from now on
    tiny.write("main.py", "import colorsys\nprint(getattr(colorsys, 'N', 0))\n")
    assert tiny("run", "main.py").out == "5\n"
    (tiny.folder / "colorsys.py").unlink()
    assert tiny("run", "main.py").out == "0\n"
