"""The shape of a manifest, and reading access to one.

A manifest is plain JSON data. Its types are written down twice on purpose and compared by a test: here for Python's
type checker, in ``schema.json`` for everyone else. ``Manifest`` pairs a document with the folder its paths are
relative to; it never copies or changes the document.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NotRequired, TypedDict

    class FileRecord(TypedDict):
        """One file of the artifact: its path relative to the manifest, with ``/``, and its content's SHA-256."""

        file: str
        sha256: str

    class LibraryRecord(TypedDict):
        """A native library. ``format`` is ``shared`` for what the system's loader opens, else the name of a loader
        registered in the entry-point group ``ppy.loaders`` (the LLVM backend's ``object``)."""

        file: str
        sha256: str
        format: str

    class PythonRecord(TypedDict):
        """The interpreter a build was made for."""

        implementation: str
        version: str
        cache_tag: str
        abiflags: str
        platform: str
        magic: str
        optimize: int

    class TargetRecord(TypedDict):
        """The machine: LLVM's triple, and the instruction sets that the processor must have, as Linux names them: those
        of the processor that code was made for, when it was made for that one alone."""

        triple: str
        features: Sequence[str]

    class FunctionRecord(TypedDict):
        """What became of one function: native under ``symbol``, or Python with a coded reason."""

        qualname: str
        symbol: str
        status: str
        reason: str
        signature: NotRequired[Mapping[str, Any]]

    class UnitRecord(TypedDict):
        """One module. ``code`` is its marshalled code object, ``layout`` the fingerprint of the object layouts the
        library was compiled against, ``imports`` the names of the modules of this manifest it reaches, ``warns`` that
        CPython warns when it compiles the source."""

        module: str
        package: bool
        source: FileRecord
        code: FileRecord | None
        library: LibraryRecord | None
        layout: str
        functions: Sequence[FunctionRecord]
        imports: Sequence[str]
        warns: NotRequired[bool]

    class RegionRecord(TypedDict):
        """One module's compiled graph regions: the extension, and the symbol serving each function."""

        module: str
        library: LibraryRecord
        entries: Mapping[str, str]

    class Document(TypedDict):
        """A whole manifest."""

        format: int
        abi: int
        name: str
        entry: str
        made_by: Mapping[str, str]
        python: PythonRecord
        target: TargetRecord
        support: LibraryRecord | None
        units: Sequence[UnitRecord]
        regions: Sequence[RegionRecord]


MANIFEST_NAME = "ppy-manifest.json"
"""The file a build writes into an artifact's folder."""

MANIFEST_FORMAT = 1
"""The version of the document's shape; a reader refuses any other."""


class Manifest:
    """A manifest and the absolute path of the folder its paths are relative to."""

    __slots__ = ("document", "root")

    def __init__(self, document: Document, root: str) -> None:
        self.document = document
        self.root = os.path.abspath(root)

    def __repr__(self) -> str:
        return f"<Manifest {self.document['name']!r} at {self.root!r}>"

    def path(self, file: str) -> str:
        """The absolute path of a file that this manifest names."""
        return os.path.normpath(os.path.join(self.root, *file.split("/")))

    def unit(self, module: str) -> UnitRecord | None:
        """The unit of ``module``, or None."""
        for unit in self.document["units"]:
            if unit["module"] == module:
                return unit
        return None

    @property
    def entry(self) -> UnitRecord:
        """The unit a launch runs as ``__main__``."""
        unit = self.unit(self.document["entry"])
        if unit is None:  # refused by ``store.load`` already; a document built in memory may still lack it
            raise LookupError(f"no unit {self.document['entry']!r} in {self!r}")
        return unit

    def files(self) -> list[FileRecord | LibraryRecord]:
        """Every file this manifest names, each once, in the document's order."""
        found: dict[str, FileRecord | LibraryRecord] = {}
        candidates: list[FileRecord | LibraryRecord | None] = [self.document["support"]]
        for unit in self.document["units"]:
            candidates += (unit["source"], unit["code"], unit["library"])
        candidates += (region["library"] for region in self.document["regions"])
        for record in candidates:
            if record is not None:
                found.setdefault(record["file"], record)
        return list(found.values())
