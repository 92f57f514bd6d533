"""The names of ``import ppy`` that the checker knows, and what its directives take. A test holds them to the language
package."""

from __future__ import annotations

DIRECTIVES: dict[str, frozenset[str]] = {
    "pure": frozenset(),
    "opt": frozenset(("level",)),
    "native": frozenset(("require",)),
    "parallel": frozenset(("require",)),
    "specialize": frozenset(),
    "inline": frozenset(),
    "noinline": frozenset(),
    "fastmath": frozenset(),
    "dynamic": frozenset(),
    "reflective": frozenset(),
}
"""Decorators by the keywords they take."""

LANGUAGE_NAMES = frozenset(DIRECTIVES) | frozenset(
    (
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
        "f16",
        "f32",
        "f64",
        "i16",
        "i32",
        "i64",
        "i8",
        "install",
        "u16",
        "u32",
        "u64",
        "u8",
        "uninstall",
    )
)

CONFLICTS = (
    ("inline", "noinline"),
    *((name, "dynamic") for name in ("native", "opt", "inline", "fastmath", "parallel", "specialize")),
)
"""Directives that contradict each other."""
OF_CLASSES = frozenset(("dynamic", "reflective"))
"""Those that say something about a class."""
