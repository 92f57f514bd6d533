"""``RegionLibrary``: compiled graph regions that a build ships beside its native code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .document import Manifest


@dataclass(frozen=True, slots=True)
class RegionLibrary:
    """One module's compiled regions: the extension's absolute path, and the symbol that serves each function."""

    library: str
    entries: Mapping[str, str]


def region_libraries(manifest: Manifest) -> dict[str, RegionLibrary]:
    """The region library of each module that has one."""
    return {
        region["module"]: RegionLibrary(manifest.path(region["library"]["file"]), dict(region["entries"]))
        for region in manifest.document["regions"]
    }
