"""Loading, validating and writing manifests.

``load`` reads the document and refuses one that this runtime cannot understand: not JSON, another format, another ABI
version, a field that does not follow the schema, a path that is not relative. ``problems`` compares it with the world:
interpreter, machine, presence and content of every file. Nothing here reads a source for its meaning or runs anything.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ..abi import ABI_VERSION
from . import schema as _schema
from .document import MANIFEST_FORMAT, MANIFEST_NAME, Manifest
from .errors import ManifestError
from .files import read_bytes, sha256_of_file, write_atomic
from .python import check_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .document import Document, FileRecord, LibraryRecord

_REBUILD = "build it again with `ppy build`"


def load(directory: str, *, self_contained: bool = False) -> Manifest:
    """The manifest in ``directory``, or ManifestError. ``self_contained`` also refuses a path that leaves the folder,
    as one in a cache does to name the user's sources but one in an artifact never may."""
    path = os.path.join(directory, MANIFEST_NAME)
    try:
        text = read_bytes(path)
    except OSError as error:
        raise ManifestError(
            f"{MANIFEST_NAME} cannot be read: {error.strerror}", "name the folder that `ppy build` wrote"
        ) from None
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{MANIFEST_NAME} is damaged: {error}", _REBUILD) from None
    manifest = Manifest(_understood(data), directory)
    if self_contained:
        _refuse_outside(manifest)
    return manifest


def _understood(data: Any) -> Document:
    """``data`` as a document, with versions compared before anything else: an older or newer one is not damaged."""
    if not isinstance(data, dict):
        raise ManifestError(f"{MANIFEST_NAME} is damaged: it holds no object", _REBUILD)
    for field, known in (("format", MANIFEST_FORMAT), ("abi", ABI_VERSION)):
        version = data.get(field)
        if isinstance(version, int) and version != known:
            newer = version > known
            raise ManifestError(
                f"its manifest has {field} version {version}, this runtime knows {known}",
                "install a newer ppy-runtime" if newer else f"install an older ppy-runtime, or {_REBUILD}",
            )
    try:
        check_document(data)
    except _schema.SchemaError as error:
        raise ManifestError(f"{MANIFEST_NAME} is damaged: {error}", _REBUILD) from None
    document: Document = data  # type: ignore[assignment]  # the schema check is what makes it one
    return document


def check_document(data: Mapping[str, Any]) -> None:
    """Raise SchemaError unless ``data`` is a manifest of this format whose own references hold."""
    _schema.check(data, _schema.load_schema())
    modules = [unit["module"] for unit in data["units"]]
    if data["entry"] not in modules:
        raise _schema.SchemaError("manifest.entry", f"{data['entry']!r} is no unit of this manifest")
    doubled = sorted({module for module in modules if modules.count(module) > 1})
    if doubled:
        raise _schema.SchemaError("manifest.units", f"{doubled[0]!r} is there twice")


def _refuse_outside(manifest: Manifest) -> None:
    inside = manifest.root.rstrip(os.sep) + os.sep
    for record in manifest.files():
        if not manifest.path(record["file"]).startswith(inside):
            raise ManifestError(f"its manifest names {record['file']!r}, outside the folder", _REBUILD)


def file_problem(manifest: Manifest, record: FileRecord | LibraryRecord) -> ManifestError | None:
    """What is wrong with one file of a manifest: missing, unreadable or altered."""
    digest = sha256_of_file(manifest.path(record["file"]))
    if digest == record["sha256"]:
        return None
    state = "was altered after the build" if digest is not None else "is missing or cannot be read"
    return ManifestError(f"{record['file']!r} {state}", _REBUILD)


def problems(manifest: Manifest) -> list[ManifestError]:
    """Everything that keeps this interpreter from running the manifest as it was built, in the order worth reading."""
    found: list[ManifestError] = []
    try:
        check_host(manifest.document)
    except ManifestError as error:
        found.append(error)
    for record in manifest.files():
        problem = file_problem(manifest, record)
        if problem is not None:
            found.append(problem)
    return found


def validate(manifest: Manifest) -> None:
    """Raise the first of ``problems``."""
    found = problems(manifest)
    if found:
        raise found[0]


def encode(document: Document) -> bytes:
    """The one text of a document: sorted keys, so that equal builds write equal bytes."""
    return (json.dumps(document, indent=1, sort_keys=True) + "\n").encode()


def write(directory: str, document: Document) -> str:
    """Write ``document`` into ``directory``, whole or not at all; the manifest's path. SchemaError, before anything is
    written, when it is not a manifest."""
    check_document(document)
    path = os.path.join(directory, MANIFEST_NAME)
    write_atomic(path, encode(document))
    return path
