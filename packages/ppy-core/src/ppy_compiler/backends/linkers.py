"""Linkers: the one tool of the machine that making a shared library takes.

Any of ld, lld, a C compiler's driver, or zig will do. `CC` in the environment decides when it is set; otherwise the
plain linkers come first, being the fastest. Nothing of the C library is linked in: the interpreter that loads the
result has it already. A failing linker is E2102 with the end of what it said, none at all E2101.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from ppy_compiler.backends.interface import ToolStatus
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import toolchain as codes

_DRIVERS = ("cc", "gcc", "clang")
_PLAIN = ("ld", "ld.lld")
CANDIDATES = (*_PLAIN, *_DRIVERS, "zig")
_OUTPUT_TAIL = 2000
_MEANING = {
    "ld": "another linker is used",
    "ld.lld": "another linker is used",
    "cc": "another linker is used",
    "gcc": "another linker is used",
    "clang": "another linker is used",
    "zig": "without any other linker `ppy build` is impossible, and warm starts load LLVM",
}


@dataclass(frozen=True, slots=True)
class Linker:
    """One way to link: the command's first words, and whether it is a compiler's driver."""

    name: str
    command: tuple[str, ...]
    is_driver: bool

    def arguments(self, objects: Sequence[Path], output: Path) -> list[str]:
        """The whole command that makes the shared library `output`, reproducibly."""
        plain = ["--build-id=none", "-z", "relro", "-z", "noexecstack"]
        flags = [f"-Wl,{','.join(plain)}", "-nostdlib"] if self.is_driver else plain
        return [*self.command, "-shared", "-o", str(output), *map(str, objects), *flags]


def find_linker(environment: Mapping[str, str] = os.environ) -> Linker | None:
    """The linker to use, or None."""
    path = environment.get("PATH")
    if chosen := environment.get("CC", "").strip():
        words = tuple(shlex.split(chosen))
        return Linker(words[0], words, True) if which(words[0], path=path) else None
    for name in (*_PLAIN, *_DRIVERS):
        if found := which(name, path=path):
            return Linker(name, (found,), name in _DRIVERS)
    if found := which("zig", path=path):
        return Linker("zig", (found, "ld.lld"), False)
    if _has_ziglang():
        return Linker("zig", (sys.executable, "-m", "ziglang", "ld.lld"), False)
    return None


def link_shared(objects: Sequence[Path], output: Path, path: str = "") -> None:
    """Link `objects` into the shared library `output`. `path` is the file being compiled, for messages."""
    linker = find_linker()
    if linker is None:
        tried = os.environ.get("CC") or ", ".join(CANDIDATES)
        raise DiagnosticError(codes.NO_LINKER.at(path, tried=tried))
    command = linker.arguments(objects, output)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise DiagnosticError(_tool_failed(linker, "none", str(error), path)) from error
    if done.returncode != 0 or not output.is_file():
        text = (done.stderr or done.stdout).strip()[-_OUTPUT_TAIL:] or "no output"
        raise DiagnosticError(_tool_failed(linker, str(done.returncode), text, path))


def linker_status() -> tuple[ToolStatus, ...]:
    """Every linker that is looked for, for `ppy doctor`."""
    return tuple(_status(name) for name in CANDIDATES)


def _status(name: str) -> ToolStatus:
    found = which(name)
    if found is None and name == "zig" and _has_ziglang():
        found = f"{sys.executable} -m ziglang"
    return ToolStatus(name, found is not None, found or "", _version(found, name) if found else "", _MEANING[name])


def _version(command: str, name: str) -> str:
    words = shlex.split(command) if " -m " in command else [command]
    argument = "version" if name == "zig" else "--version"
    try:
        done = subprocess.run([*words, argument], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout or done.stderr).partition("\n")[0].strip()


def _has_ziglang() -> bool:
    from importlib.machinery import PathFinder

    return PathFinder.find_spec("ziglang") is not None


def _tool_failed(linker: Linker, status: str, output: str, path: str) -> Diagnostic:
    return codes.TOOL_FAILED.at(path, tool=linker.name, status=status, output=output)
