"""This interpreter and this machine, in the words a manifest uses.

The runtime has no LLVM to ask, so a target triple is compared with what the platform says of itself. Cheap: nothing
outside the modules that every interpreter has loaded at start.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib_external import MAGIC_NUMBER

from .errors import ManifestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .document import Document, PythonRecord

_ARCHITECTURES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}
_ARCHITECTURES |= dict.fromkeys(("i486", "i586", "i686"), "i386")
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "macos": "darwin", "macosx": "darwin", "win32": "windows"}


def _architecture(word: str) -> str:
    word = word.lower()
    return _ARCHITECTURES.get(word, word)


def _system(words: list[str]) -> str:
    for word in words:
        for prefix in ("linux", "darwin", "macosx", "macos", "windows", "win32", "freebsd"):
            if word.lower().startswith(prefix):
                return _SYSTEMS.get(prefix, prefix)
    return ""


def _machine() -> str:
    """The architecture this process runs as: a 32-bit interpreter on a 64-bit kernel is a 32-bit machine to us."""
    machine = _architecture(os.uname().machine) if hasattr(os, "uname") else _architecture("amd64")
    if sys.maxsize <= 2**32 and machine == "x86_64":
        return "i386"
    return machine


def host_triple() -> str:
    """A triple for this machine, as LLVM writes it: ``x86_64-unknown-linux-gnu``."""
    system = _system([sys.platform])
    tail = {"linux": "unknown-linux-gnu", "darwin": "apple-darwin", "windows": "pc-windows-msvc"}.get(system, system)
    return f"{_machine()}-{tail}"


def host_runs(target: str) -> bool:
    """Whether this machine is the one the triple ``target`` names, by architecture and operating system."""
    words = target.split("-")
    return _architecture(words[0]) == _machine() and _system(words[1:]) == _system([sys.platform])


_INSTRUCTION_SETS = (
    "abm", "adx", "aes", "amx", "avx", "bmi", "cx16", "f16c", "fma", "gfni", "lahf", "movbe", "movdir", "pclmul",
    "popcnt", "rdrand", "rdseed", "sha", "sse", "ssse", "tbm", "vaes", "vpclmul", "xop", "xsave",
)  # fmt: skip


def cpu_features() -> list[str]:
    """The instruction sets of this processor, as Linux names them; none where the system does not say."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            line = next((line for line in file if line.startswith(("flags", "Features"))), "")
    except OSError:
        return []
    words = line.partition(":")[2].split()
    return sorted({word for word in words if line.startswith("Features") or word.startswith(_INSTRUCTION_SETS)})


def this_python() -> PythonRecord:
    """The running interpreter. Two interpreters with equal records read each other's code objects and, as far as the
    layout check at load agrees, run each other's libraries; the micro version is left to that check."""
    return {
        "implementation": sys.implementation.name,
        "version": f"{sys.version_info.major}.{sys.version_info.minor}",
        "cache_tag": sys.implementation.cache_tag or "",
        "abiflags": getattr(sys, "abiflags", ""),
        "platform": f"{sys.platform}-{_machine()}",
        "magic": MAGIC_NUMBER.hex(),
        "optimize": sys.flags.optimize,
    }


def python_matches(wanted: PythonRecord) -> bool:
    """Whether the running interpreter is the one ``wanted`` describes."""
    return wanted == this_python()


def check_host(document: Document) -> None:
    """Raise ManifestError unless this interpreter on this machine is the one the manifest was built for."""
    wanted, here = document["python"], this_python()
    for field, value in here.items():
        if field in ("platform", "optimize"):
            continue
        if wanted.get(field) != value:
            flags = f" (ABI flags {wanted['abiflags']!r})" if wanted["abiflags"] else ""
            raise ManifestError(
                f"it was built for {wanted['implementation']} {wanted['version']}{flags}, "
                f"this is {here['implementation']} {here['version']}: {field} {wanted.get(field)!r} is not {value!r}",
                f"run it with Python {wanted['version']}, or build it again with this one",
            )
    triple = document["target"]["triple"]
    if wanted["platform"] != here["platform"] or not host_runs(triple):
        raise ManifestError(
            f"it was built for {triple} ({wanted['platform']}), this machine is {here['platform']}",
            f"build it again with --target {host_triple()}",
        )
