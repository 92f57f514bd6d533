"""The manifest: what a build says it made, and everything about it that compiler and runtime must agree on.

A built artifact is a folder whose ``ppy-manifest.json`` names every file in it, relative to itself. A cached program
is the same thing inside a cache directory. This package is, with ``ppy_runtime.abi``, the only part of the runtime
that the compiler imports, so what both sides need of the cache lives here too:

``document``
    The shape of a manifest (``schema.json`` says it to other languages) and reading access to one.
``errors``
    ``ManifestError``: why an artifact cannot be run, and the remedy.
``store``
    Loading, writing and validating manifests.
``python``
    Which interpreter and which machine this is, in the words a manifest uses; ``host_runs``.
``regions``
    ``RegionLibrary``, one module's compiled graph regions.
``files``
    Content hashes and atomic writes.
``cache``
    Cache directories, their layout, entries that verify themselves.
``ticket``
    How a warm start finds a program by content without importing the compiler.

Submodules load on first use: a warm start touches neither ``json`` nor the schema.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cache import Cache, content_key, open_cache
    from .document import MANIFEST_FORMAT, MANIFEST_NAME, Manifest
    from .errors import ManifestError
    from .files import sha256_of, write_atomic
    from .python import host_runs, host_triple, this_python
    from .regions import RegionLibrary
    from .store import load, problems, validate, write
    from .ticket import find_ticket, ticket_key, write_ticket

_HOME = {
    "MANIFEST_FORMAT": "document",
    "MANIFEST_NAME": "document",
    "Cache": "cache",
    "Manifest": "document",
    "ManifestError": "errors",
    "RegionLibrary": "regions",
    "content_key": "cache",
    "find_ticket": "ticket",
    "host_runs": "python",
    "host_triple": "python",
    "load": "store",
    "open_cache": "cache",
    "problems": "store",
    "sha256_of": "files",
    "this_python": "python",
    "ticket_key": "ticket",
    "validate": "store",
    "write": "store",
    "write_atomic": "files",
    "write_ticket": "ticket",
}

__all__ = [
    "MANIFEST_FORMAT",
    "MANIFEST_NAME",
    "Cache",
    "Manifest",
    "ManifestError",
    "RegionLibrary",
    "content_key",
    "find_ticket",
    "host_runs",
    "host_triple",
    "load",
    "open_cache",
    "problems",
    "sha256_of",
    "this_python",
    "ticket_key",
    "validate",
    "write",
    "write_atomic",
    "write_ticket",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)  # cheaper than importlib
    globals()[name] = value
    return value
