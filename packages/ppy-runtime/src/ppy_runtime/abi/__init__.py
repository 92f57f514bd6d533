"""The native ABI as data: what compiled code and the runtime promise each other.

The compiler writes these values into manifests, the runtime reads them back, possibly years later on a machine
without a compiler. ``ABI_VERSION`` changes whenever a library built against the old contract could misbehave under
the new one; a manifest of another version is refused, never guessed at.

The contract in short. A unit is a native library with the one exported symbol ``UNIT_SYMBOL``::

    PyObject *ppy_unit(PyObject *module_dict, PyObject *module_code, PyObject *name)

called with the GIL held. It checks that the running interpreter has the layout it was compiled for, binds its
functions and runs the module's top-level code in ``module_dict``. It returns ``None`` when the module ran, NULL with
an exception set when the module raised, and ``NotImplemented`` when it refuses and has done nothing, so that the
caller runs the source. Native functions call each other as ``(ctx*, args...) -> {value, status}``, status being one of
the ``STATUS_`` values.

The dataclasses live in ``ppy_runtime.abi.signature`` and load on first use: a warm start needs only the numbers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .signature import NativeParam, NativeSignature

ABI_VERSION = 1
"""The version of this contract; recorded in every manifest."""

UNIT_SYMBOL = "ppy_unit"
"""The one symbol a unit's library exports."""

STATUS_OK = 0
"""The native result is in the value register."""
STATUS_RAISED = 1
"""A Python exception is set."""
STATUS_BOXED = 2
"""The result did not fit its fast representation: the context holds it as an object."""
STATUSES: dict[str, int] = {"ok": STATUS_OK, "raised": STATUS_RAISED, "boxed": STATUS_BOXED}

SCALAR_KINDS: frozenset[str] = frozenset(
    {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "bool", "none"}
)
"""Kinds passed by value in a register."""
OBJECT_KINDS: frozenset[str] = frozenset({"object", "str", "bytes", "list", "dict", "set", "function", "value"})
"""Kinds passed as a Python object; ``value`` is an instance of a class of the compiled project."""
POINTER_KINDS: frozenset[str] = frozenset({"ptr", "const_ptr"})
"""One machine address that never crosses the Python boundary."""
COMPOSITE_KINDS: frozenset[str] = frozenset({"tuple", "optional", "buffer", "handle"})
"""Kinds that expand to several machine values, or wrap another kind."""
KINDS: frozenset[str] = SCALAR_KINDS | OBJECT_KINDS | POINTER_KINDS | COMPOSITE_KINDS

FUNCTION_NATIVE = "native"
FUNCTION_PYTHON = "python"
FUNCTION_STATUSES: tuple[str, ...] = (FUNCTION_NATIVE, FUNCTION_PYTHON)
"""What became of a function in a unit: native code, or CPython's bytecode with a coded reason."""

__all__ = [
    "ABI_VERSION",
    "COMPOSITE_KINDS",
    "FUNCTION_NATIVE",
    "FUNCTION_PYTHON",
    "FUNCTION_STATUSES",
    "KINDS",
    "OBJECT_KINDS",
    "POINTER_KINDS",
    "SCALAR_KINDS",
    "STATUSES",
    "STATUS_BOXED",
    "STATUS_OK",
    "STATUS_RAISED",
    "UNIT_SYMBOL",
    "NativeParam",
    "NativeSignature",
]


def __getattr__(name: str) -> object:
    if name in ("NativeParam", "NativeSignature"):
        from . import signature

        return getattr(signature, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
