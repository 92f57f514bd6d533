"""The plugin interface, the registry that finds plugins and settles claims, and the conformance kit they run.

`interface` is what a plugin implements, `specs` how it says what becomes of a call, `registry` how the compiler asks,
`testing` what a third party's test-suite subclasses. Knows no plugin by name.
"""

from __future__ import annotations

from ppy_compiler.plugins.interface import (
    ANY_EFFECT,
    INTERFACE,
    PURE,
    AttributeModel,
    CallModel,
    CallSite,
    Effects,
    Plugin,
)
from ppy_compiler.plugins.specs import FallbackSpec, IntrinsicSpec, LoweringSpec, RejectSpec

__all__ = [
    "ANY_EFFECT",
    "INTERFACE",
    "PURE",
    "AttributeModel",
    "CallModel",
    "CallSite",
    "Effects",
    "FallbackSpec",
    "IntrinsicSpec",
    "LoweringSpec",
    "Plugin",
    "RejectSpec",
]
