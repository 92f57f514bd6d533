"""The PPY language API, as CPython runs it.

Everything here works without a compiler and changes nothing about how Python runs a program: directives attach
metadata and return the object they were given, widths and refinements are ordinary annotations, ``check`` validates,
``assume`` returns its argument. A compiler reads the same names in the source.

``import ppy`` also installs the import hook for ``.ppy`` files; ``ppy.uninstall()`` takes it away.

Names load on first use: importing this package costs little more than the file it is in.
"""

from __future__ import annotations

from ppy_runtime.launch.finder import install, uninstall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import cpu
    from ._check import assume, check
    from ._directives import (
        dynamic,
        fastmath,
        inline,
        native,
        noinline,
        opt,
        parallel,
        pure,
        reflective,
        specialize,
    )
    from ._types import (
        Borrowed,
        Buffer,
        Contiguous,
        DType,
        Dynamic,
        Float,
        Int,
        Length,
        Mut,
        NoAlias,
        Owned,
        Ownership,
        Range,
        Shape,
        bf16,
        f16,
        f32,
        f64,
        i8,
        i16,
        i32,
        i64,
        u8,
        u16,
        u32,
        u64,
    )

_HOME = dict.fromkeys(("assume", "check"), "_check")
_HOME.update(
    dict.fromkeys(
        ("dynamic", "fastmath", "inline", "native", "noinline", "opt", "parallel", "pure", "reflective", "specialize"),
        "_directives",
    )
)
_HOME.update(
    dict.fromkeys(
        (
            *("Borrowed", "Buffer", "Contiguous", "DType", "Dynamic", "Float", "Int", "Length", "Mut", "NoAlias"),
            *("Owned", "Ownership", "Range", "Shape"),
            *("bf16", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"),
        ),
        "_types",
    )
)

__all__ = [
    "Borrowed",
    "Buffer",
    "Contiguous",
    "DType",
    "Dynamic",
    "Float",
    "Int",
    "Length",
    "Mut",
    "NoAlias",
    "Owned",
    "Ownership",
    "Range",
    "Shape",
    "assume",
    "bf16",
    "check",
    "cpu",
    "dynamic",
    "f16",
    "f32",
    "f64",
    "fastmath",
    "i16",
    "i32",
    "i64",
    "i8",
    "inline",
    "install",
    "native",
    "noinline",
    "opt",
    "parallel",
    "pure",
    "reflective",
    "specialize",
    "u16",
    "u32",
    "u64",
    "u8",
    "uninstall",
]


def __getattr__(name: str) -> object:
    if name == "cpu":
        return __import__(f"{__name__}.cpu", fromlist=["target"])
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)  # cheaper than importlib
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


install()
