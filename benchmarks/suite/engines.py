"""The engines that are compared, and the process that each of them answers with.

An engine makes, from a program's name and arguments, a command that follows the protocol of `programs/timing.py`.
What is not installed is left out and named as such; nothing is downloaded.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
PROGRAMS = HERE / "programs"
ADAPTERS = HERE / "suite" / "adapters"
PPY = Path(sys.executable).parent / "ppy"


@dataclass(frozen=True, slots=True)
class Engine:
    """`prepare` gives the command before the arguments, or raises LookupError where the program has no port."""

    name: str
    version: str
    prepare: Callable[[str, Path], list[str]]


def cpython(program: str, _workspace: Path) -> list[str]:
    return [sys.executable, str(PROGRAMS / f"{program}.py")]


def ppy(program: str, workspace: Path) -> list[str]:
    return [str(PPY), "run", f"--cache-dir={workspace / 'cache'}", str(PROGRAMS / f"{program}.py")]


def ppy_host(program: str, workspace: Path) -> list[str]:
    return [*ppy(program, workspace)[:2], "--host-cpu", *ppy(program, workspace)[2:]]


def gcc(program: str, workspace: Path) -> list[str]:
    source = PROGRAMS / f"{program}.c"
    if not source.exists():
        raise LookupError(f"no C of {program}")
    built = workspace / "c" / program
    built.parent.mkdir(exist_ok=True)
    subprocess.run(["gcc", "-O3", str(source), "-o", str(built)], check=True)
    return [str(built)]


def numba(program: str, _workspace: Path) -> list[str]:
    return [sys.executable, str(ADAPTERS / "numba_module.py"), str(PROGRAMS), program]


def mypyc(program: str, workspace: Path) -> list[str]:
    folder = workspace / "mypyc"
    folder.mkdir(exist_ok=True)
    for name in (program, "timing"):
        shutil.copy(PROGRAMS / f"{name}.py", folder)
    compiler = Path(sys.executable).parent / "mypyc"
    subprocess.run([str(compiler), f"{program}.py"], cwd=folder, check=True, capture_output=True)
    (folder / f"{program}.py").unlink()  # what is imported can only be the extension
    return [sys.executable, str(ADAPTERS / "plain_module.py"), str(folder), program]


def installed() -> list[Engine]:
    """CPython first: its results are what the others have to print."""
    found = [
        Engine("CPython", sys.version.split()[0], cpython),
        Engine("ppy", version_of("ppy-core"), ppy),
        Engine("ppy --host-cpu", version_of("ppy-core"), ppy_host),
    ]
    if shutil.which("gcc"):
        line = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout
        found.append(Engine("gcc -O3", line.splitlines()[0], gcc))
    if importlib.util.find_spec("numba"):
        found.append(Engine("Numba", version_of("numba"), numba))
    if importlib.util.find_spec("mypyc"):
        found.append(Engine("mypyc", version_of("mypy"), mypyc))
    return found


def version_of(distribution: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return "from a clone"
