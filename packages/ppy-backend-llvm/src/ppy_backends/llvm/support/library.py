"""The support library's code: as IR to inline, as objects, as a shared library in a cache.

Takes the generated files beside this one; guarantees that the same files give the same name and the same content, and
that a library appears in the cache whole or not at all; leaves loading it to the runtime.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
#: The library's objects: what calls pass through, and the rest.
HALVES = ("calls", "support")


def running_python() -> str:
    """The running interpreter, as the other functions here name one: ``3.12``."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


@cache
def support_object(python: str, half: str) -> bytes:
    """One half of the library for one Python, as a relocatable object for any CPU of x86-64."""
    return (HERE / f"generated_{half}_cp{python.replace('.', '')}.o").read_bytes()


@cache
def _hot_parts(python: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """The inlined part: what every use needs, and definitions and declarations by name."""
    text = (HERE / f"generated_hot_cp{python.replace('.', '')}.ll").read_text()
    definitions = {
        match[1]: match[0] for match in re.finditer(r"^define [^@]*@(\w+)\(.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    }
    declarations = {match[1]: match[0] for match in re.finditer(r"^declare [^@]*@([\w.]+)\(.*$", text, re.MULTILINE)}
    globals_ = {match[1]: match[0] for match in re.finditer(r"^@([\w.]+) = .*$", text, re.MULTILINE)}
    shared = "\n".join(re.findall(r"^(?:%|attributes |!).*$", text, re.MULTILINE))
    return shared, definitions, declarations | globals_


def hot_functions(python: str) -> frozenset[str]:
    """Names of the functions that are linked into a unit's module and inlined there."""
    return frozenset(_hot_parts(python)[1])


def hot_ir(python: str, names: Iterable[str]) -> str:
    """IR that defines the named inlined functions, and those that they use; without a target: its user sets it."""
    shared, definitions, others = _hot_parts(python)
    wanted = sorted(set(names))
    unknown = [name for name in wanted if name not in definitions]
    if unknown:
        raise KeyError(f"not inlined functions: {', '.join(unknown)}")
    chosen: dict[str, str] = {}
    while wanted:
        name = wanted.pop()
        if name not in chosen:
            chosen[name] = definitions.get(name) or others[name]
            if name in definitions:
                used = sorted(set(re.findall(r"@([\w.]+)", definitions[name])))
                wanted += [used_name for used_name in used if used_name not in chosen]
    return "\n".join([shared, *(chosen[name] for name in sorted(chosen)), ""])


class UnsupportedTarget(RuntimeError):
    """The generated code does not fit this machine."""


def require_target(triple: str) -> None:
    """Refuses a target whose calling convention or layouts are not those that the code was generated for."""
    architecture, *rest = triple.split("-")
    if architecture != "x86_64" or "linux" not in rest:
        raise UnsupportedTarget(f"the support library is generated for x86-64 Linux, and this is {triple}")


def support_objects(python: str) -> list[bytes]:
    """The library as relocatable objects for this machine's architecture, any CPU of it."""
    from llvmlite.binding import get_default_triple

    require_target(get_default_triple())
    return [support_object(python, half) for half in HALVES]


@cache
def support_key(python: str) -> str:
    """What the library's content depends on, as a short hexadecimal name."""
    return sha256(b"\0".join(support_object(python, half) for half in HALVES)).hexdigest()[:32]


def build_support(directory: Path, python: str | None = None) -> Path:
    """The shared library for one Python (the running one) in ``directory``, made there unless it is there already."""
    from ppy_compiler.backends.linkers import link_shared

    python = python or running_python()
    name = f"ppy-support-cp{python.replace('.', '')}-{support_key(python)}.so"
    result = directory / name
    if result.exists():
        return result
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".ppy-support-", dir=directory) as workspace:
        made = []
        for half, content in zip(HALVES, support_objects(python), strict=True):
            made.append(Path(workspace) / f"{half}.o")
            made[-1].write_bytes(content)
        shared = Path(workspace) / name
        link_shared(made, shared)
        os.replace(shared, result)
    return result
