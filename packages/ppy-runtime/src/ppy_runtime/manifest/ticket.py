"""Tickets: how a warm start finds a cached program without importing the compiler.

A program's true cache key covers everything its build read, and only the compiler can compute it. So after a build
the compiler leaves a *ticket* under a key that anyone can compute from the command alone: source path, options,
the environment's ``PPY_`` variables, interpreter, machine. The ticket holds the manifest and everything whose change
would change the build:

- ``inputs``: every file the build read, with the SHA-256 of its content, or "" for one that was looked for and was
  absent (a module found in its place later must be noticed);
- ``trees``: folders whose content is code of ours (the compiler, its backend and plugins), with a fingerprint of
  names, sizes and times: reading all of it on each start would cost more than the start;
- ``folders``: where distributions are installed, with their modification time: an installed or removed plugin shows.

``find_ticket`` returns the manifest only when all of that still holds. A ticket is stored as one cache entry, which
verifies itself, encoded by ``marshal``: neither ``json`` nor the schema is needed to read it.
"""

from __future__ import annotations

import marshal
import os
import sys

from ..abi import ABI_VERSION
from .cache import content_key
from .document import MANIFEST_FORMAT, Manifest
from .files import sha256_of_file
from .python import python_matches, this_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypedDict

    from .cache import Cache
    from .document import Document

    class Ticket(TypedDict):
        """What a ticket holds; see the module's text."""

        version: list[int]
        document: Document
        directory: str
        inputs: list[tuple[str, str]]
        trees: list[tuple[str, str]]
        folders: list[tuple[str, int]]


TICKET_VERSION = 1
_KIND = "ticket"
_TICK_NS = 50_000_000
"""A file changed this recently may change again within one tick of the file system's clock without showing it."""

RUNTIME_ONLY = frozenset({"PPY_VERBOSE", "PPY_DISABLE", "PPY_FAIL_GUARDS", "PPY_CACHE_DIR"})
"""Environment variables that change how a program runs, not what a build makes of it."""


def ticket_key(source: str, options: Mapping[str, str], module: str = "__main__") -> str:
    """The key under which the ticket for running ``source`` as ``module`` with ``options`` lies."""
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("PPY_") and k not in RUNTIME_ONLY)
    parts: list[str] = [os.path.abspath(source), module, sys.prefix, os.environ.get("PYTHONPATH", "")]
    for group in (sorted(options.items()), settings, sorted(this_python().items())):
        parts.append(str(len(group)))
        parts += (str(item) for pair in group for item in pair)
    return content_key(*parts)


def _files(folder: str) -> Iterable[os.DirEntry[str]]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        else:
            yield entry


def tree_stamp(folder: str) -> tuple[str, int]:
    """A fingerprint of the names, sizes and modification times under ``folder``, and the latest of those times in
    nanoseconds. A folder that cannot be read has the fingerprint ""."""
    parts: list[str] = []
    latest = 0
    try:
        for entry in _files(folder):
            status = entry.stat()
            parts.append(f"{entry.path[len(folder) :]}\0{status.st_size}\0{status.st_mtime_ns}")
            latest = max(latest, status.st_mtime_ns)
    except OSError:
        return "", 0
    return content_key(*parts), latest


def installation_folders() -> list[tuple[str, int]]:
    """The folders where distributions are installed, with their modification times."""
    found = []
    for folder in sys.path:
        if os.path.basename(folder) in ("site-packages", "dist-packages"):
            try:
                found.append((folder, os.stat(folder).st_mtime_ns))
            except OSError:
                continue
    return found


def write_ticket(
    cache: Cache, key: str, manifest: Manifest, *, inputs: Iterable[str], trees: Iterable[str], now_ns: int
) -> bool:
    """Leave a ticket for ``manifest``. ``inputs`` are the files the build read or missed, ``trees`` the folders of the
    code that made it, ``now_ns`` the time (``time.time_ns()``) *before* the build read any of them. False when no
    ticket could be left: the next run is a cold one, nothing else."""
    stamps: list[tuple[str, str]] = []
    for tree in sorted({os.path.abspath(tree) for tree in trees}):
        stamp, latest = tree_stamp(tree)
        if not stamp or latest > now_ns - _TICK_NS:
            return False
        stamps.append((tree, stamp))
    ticket: Ticket = {
        "version": [TICKET_VERSION, MANIFEST_FORMAT, ABI_VERSION],
        "document": manifest.document,
        "directory": manifest.root,
        "inputs": [(path, sha256_of_file(path) or "") for path in sorted({os.path.abspath(path) for path in inputs})],
        "trees": stamps,
        "folders": installation_folders(),
    }
    if any(ticket_stale_unit(manifest, ticket["inputs"])):
        return False
    return cache.put(_KIND, key, marshal.dumps(dict(ticket))) is not None


def ticket_stale_unit(manifest: Manifest, inputs: Sequence[tuple[str, str]]) -> Iterable[str]:
    """The units whose source is not what the manifest says it was: it was edited while it was being built."""
    digests = dict(inputs)
    for unit in manifest.document["units"]:
        path = manifest.path(unit["source"]["file"])
        if digests.get(path, unit["source"]["sha256"]) != unit["source"]["sha256"]:
            yield unit["module"]


def find_ticket(cache: Cache, key: str) -> Manifest | None:
    """The manifest of the program under ``key`` if everything its build depended on is as it was, else None."""
    valid = (manifest for payload in cache.candidates(_KIND, key) if (manifest := _checked(marshal.loads(payload))))
    return next(valid, None)


def _checked(ticket: Ticket) -> Manifest | None:
    if ticket["version"] != [TICKET_VERSION, MANIFEST_FORMAT, ABI_VERSION]:
        return None
    if not python_matches(ticket["document"]["python"]) or ticket["folders"] != installation_folders():
        return None
    if any((sha256_of_file(path) or "") != digest for path, digest in ticket["inputs"]):
        return None
    if any(tree_stamp(tree)[0] != stamp for tree, stamp in ticket["trees"]):
        return None
    return Manifest(ticket["document"], ticket["directory"])
