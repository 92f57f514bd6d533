"""What a plugin says about lowering one call: typed data that the compiler reads, never code.

A spec chooses between the things that can happen to a call whose meaning the plugin knows: it does what a modelled
function of the standard library does (`IntrinsicSpec`), CPython makes the call and the reader is told why
(`FallbackSpec`), or the call is certain to fail and is reported (`RejectSpec`). Specs that name operations of shared
dialects and C functions come with the dialects and plugins that use them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IntrinsicSpec:
    """The call is a modelled function of the standard library under another name: `foolib.root` is `math.sqrt`."""

    function: str


@dataclass(frozen=True, slots=True)
class FallbackSpec:
    """CPython makes the call; `reason` is what `ppy explain` prints."""

    reason: str


@dataclass(frozen=True, slots=True)
class RejectSpec:
    """The call fails whenever it is reached; `reason` becomes the error that `ppy check` reports."""

    reason: str


LoweringSpec = IntrinsicSpec | FallbackSpec | RejectSpec
