"""What a plugin says about lowering one call: typed data that lowering and backends read, never code.

A spec chooses between the four things that can happen to a call whose meaning the plugin knows: an operation takes its
place (`IntrinsicSpec`, `DialectOperationSpec`), a C function is called (`DirectCallSpec`), CPython makes the call and
the reader is told why (`FallbackSpec`), or the call is certain to fail and is reported (`RejectSpec`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class IntrinsicSpec:
    """The call is a modelled function of the standard library under another name: `foolib.root` is `math.sqrt`."""

    function: str


@dataclass(frozen=True, slots=True)
class DialectOperationSpec:
    """The call is operation `operation` ("tensor.mul") over its positional arguments, with these attributes."""

    operation: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DirectCallSpec:
    """The call is a C function of scalars: `symbol` of `library` (empty: already in the process), C-like types
    ("f64", "i64", "bool"). It must have no effect and never raise."""

    symbol: str
    returns: str
    parameters: tuple[str, ...]
    library: str = ""


@dataclass(frozen=True, slots=True)
class FallbackSpec:
    """CPython makes the call; `reason` is what `ppy explain` prints."""

    reason: str


@dataclass(frozen=True, slots=True)
class RejectSpec:
    """The call fails whenever it is reached; `reason` becomes the error that `ppy check` reports."""

    reason: str


LoweringSpec = IntrinsicSpec | DialectOperationSpec | DirectCallSpec | FallbackSpec | RejectSpec
