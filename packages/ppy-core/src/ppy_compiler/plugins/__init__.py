"""The plugin interface, the registry that finds plugins and settles claims, and the conformance kit they run.

`interface` is what a plugin implements, `types` the words in which values are spoken of, `specs` how a plugin says what
becomes of an operation, `checks` whether a spec can be followed, `registry` how plugins are found, `asking` how the
compiler asks them, `testing` what a third party's test-suite subclasses. Knows no plugin by name.
"""

from __future__ import annotations

from ppy_compiler.plugins.interface import (
    ANY_EFFECT,
    INTERFACE,
    PURE,
    AttributeModel,
    CallModel,
    CallSite,
    DecoratorModel,
    Effects,
    OperationSite,
    Plugin,
)
from ppy_compiler.plugins.specs import (
    DialectOperationSpec,
    DirectCallSpec,
    ElementSpec,
    ElementwiseSpec,
    FallbackSpec,
    IntrinsicSpec,
    LoweringSpec,
    RejectSpec,
    ScalarSpec,
    SumSpec,
    TensorOperand,
)
from ppy_compiler.plugins.types import ExternalType, Type, Unknown, Value

__all__ = [
    "ANY_EFFECT",
    "INTERFACE",
    "PURE",
    "AttributeModel",
    "CallModel",
    "CallSite",
    "DecoratorModel",
    "DialectOperationSpec",
    "DirectCallSpec",
    "Effects",
    "ElementSpec",
    "ElementwiseSpec",
    "ExternalType",
    "FallbackSpec",
    "IntrinsicSpec",
    "LoweringSpec",
    "OperationSite",
    "Plugin",
    "RejectSpec",
    "ScalarSpec",
    "SumSpec",
    "TensorOperand",
    "Type",
    "Unknown",
    "Value",
]
