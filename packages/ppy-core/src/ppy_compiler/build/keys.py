"""Content keys: everything that could change what a build makes of a module, and nothing else.

A key is a hash of the source's bytes, the compiler's and the runtime's own files, the backend with its libraries, the
options, the interpreter, the machine where code is made for it, and the plugins of the libraries that the module
imports. Paths and times are no part of it: the same module in another folder is the same unit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from ppy_runtime.abi import ABI_VERSION
from ppy_runtime.manifest.document import MANIFEST_FORMAT
from ppy_runtime.manifest.python import host_triple, this_python

from ppy_compiler.backends import Options
from ppy_compiler.support.fingerprints import fingerprint, fingerprint_package

STRESS_VARIABLE = "PPY_FAIL_GUARDS"
"""Set, guards that fail at random are compiled in."""


def compiler_fingerprint() -> str:
    """The identity of this compiler: its files and those of the runtime that will load what it builds."""
    return fingerprint(fingerprint_package("ppy_compiler"), fingerprint_package("ppy_runtime"))


@dataclass(frozen=True, slots=True)
class BuildContext:
    """What the keys of all units of one build have in common."""

    compiler: str
    backend: str
    options: Options

    @property
    def key(self) -> str:
        return fingerprint(
            self.compiler,
            self.backend,
            self.options.key,
            dict(this_python()),
            target_triple(self.options),
            _machine(self.options),
            (ABI_VERSION, MANIFEST_FORMAT),
            STRESS_VARIABLE in os.environ,
        )


def target_triple(options: Options) -> str:
    """The machine that code is made for."""
    return options.target or host_triple()


def unit_key(
    context: BuildContext, module: str, digest: str, plugins: Iterable[tuple[str, str]], is_package: bool
) -> str:
    """The key of one module's unit. `plugins` are the names and fingerprints of those whose library it imports."""
    return fingerprint(context.key, module, is_package, digest, tuple(plugins))


def program_key(context: BuildContext, entry: str, units: Iterable[tuple[str, str, str]]) -> str:
    """The key of a program: its units as (module, unit key, absolute source path), since a cached manifest names its
    sources where they lie."""
    return fingerprint(context.key, entry, tuple(units))


def _machine(options: Options) -> str:
    """The identity of this processor, when code is made for it alone."""
    if options.cpu != "native":
        return ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.startswith(("flags", "Features", "model name"))]
    except OSError:
        import platform

        return platform.processor() or platform.machine()
    return fingerprint(sorted(set(lines)))
