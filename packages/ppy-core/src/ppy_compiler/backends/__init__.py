"""The backend interface, the registry that finds backends, and the conformance kit they run.

`interface` is what a backend implements, `registry` how the driver gets one, `testing` what a third party's test-suite
subclasses. Takes native IR; what comes out is files and texts. Knows no backend by name.
"""

from __future__ import annotations

from ppy_compiler.backends.interface import (
    INTERFACE,
    Backend,
    BuiltUnit,
    MissingObject,
    ObjectStore,
    Options,
    Piece,
    SupportLibrary,
    ToolStatus,
    Unit,
    UnitFunction,
    Workspace,
)

__all__ = [
    "INTERFACE",
    "Backend",
    "BuiltUnit",
    "MissingObject",
    "ObjectStore",
    "Options",
    "Piece",
    "SupportLibrary",
    "ToolStatus",
    "Unit",
    "UnitFunction",
    "Workspace",
]
