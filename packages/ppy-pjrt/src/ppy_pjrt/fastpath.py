"""The optional compiled fast path: built once per Python and machine where a C compiler is at hand.

``PPY_PJRT_FAST`` decides: ``0`` never uses it, ``1`` builds it when it is missing; without the variable it is used
where ``ppy-pjrt build-fast`` (or an earlier ``1``) has built it. Behaviour is the same with and without; the tests run
both ways.
"""

from __future__ import annotations

import os
import zlib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import Unavailable
from .folders import default_folder

VARIABLE = "PPY_PJRT_FAST"
_SOURCE = Path(__file__).with_name("native")


def library() -> Path:
    """Where the built module is, or would be: one per source text, Python and platform."""
    texts = [path.read_bytes() for path in sorted(_SOURCE.iterdir()) if path.suffix in (".c", ".h")]
    digest = f"{zlib.crc32(b''.join(texts)):08x}-{sum(map(len, texts))}"
    return default_folder() / "fast" / f"_fast-{digest}{EXTENSION_SUFFIXES[0]}"


def build() -> Path:
    """Compiles the module; ``Unavailable`` with the compiler's words where that fails."""
    import shutil
    import subprocess
    import sysconfig
    import tempfile

    target = library()
    if target.exists():
        return target
    compiler = os.environ.get("CC") or next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise Unavailable("the fast path cannot be built: there is no C compiler (cc, gcc or clang); it is optional")
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".so")
    os.close(handle)
    include = sysconfig.get_path("include")
    command = [*compiler.split(), "-O2", "-shared", "-fPIC", f"-I{include}", str(_SOURCE / "module.c"), "-o", temporary]
    if os.uname().sysname == "Darwin":
        command[1:1] = ["-undefined", "dynamic_lookup"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        os.unlink(temporary)
        raise Unavailable(f"the fast path cannot be built (it is optional): {done.stderr.strip()[-500:]}")
    os.replace(temporary, target)
    return target


def _load() -> ModuleType | None:
    wish = os.environ.get(VARIABLE, "")
    if wish == "0":
        return None
    try:
        path = build() if wish == "1" else library()
        if not path.exists():
            return None
        return _import(path)
    except (Unavailable, OSError, ImportError):
        return None


def _import(path: Path) -> ModuleType:
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_loader

    spec = spec_from_loader("ppy_pjrt._fast", ExtensionFileLoader("ppy_pjrt._fast", str(path)))
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fast: Any = _load()


class _Plain:
    """What executables derive from without the fast path."""

    __slots__ = ()

    def _arm(self, *_: object) -> bool:
        return False

    def _disarm(self) -> None:
        pass


Callable: Any = fast.Callable if fast is not None else _Plain


def template(pointer: int, frame: Any) -> tuple[int, bytes]:
    """An entry and its argument struct, as the compiled side takes them."""
    return pointer, bytes(frame.raw)
