"""The conformance kit of backends: a third party's test-suite subclasses `BackendConformance`, as ours do.

::

    class TestMine(BackendConformance):
        def make_backend(self) -> Backend:
            return create_backend()

        def make_unit(self) -> Unit:
            return some_unit_that_this_backend_compiles()

Uses nothing of pytest but the naming of its tests, so any runner that collects `test_*` methods will do.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ppy_compiler.backends.interface import INTERFACE, Backend, BuiltUnit, Options, ToolStatus, Unit, Workspace


class MemoryStore:
    """An object store that lives as long as the test."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self.data.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.data[key] = data


class BackendConformance:
    """What every backend must hold. Subclasses give the backend and a unit it compiles."""

    def make_backend(self) -> Backend:
        raise NotImplementedError

    def make_unit(self) -> Unit:
        raise NotImplementedError

    def test_speaks_the_interface(self) -> None:
        backend = self.make_backend()
        assert isinstance(backend, Backend)
        assert backend.interface == INTERFACE
        assert backend.name.isidentifier(), "the name is what users write after --backend"

    def test_fingerprint_is_stable_text(self) -> None:
        first, second = self.make_backend().fingerprint(), self.make_backend().fingerprint()
        assert isinstance(first, str)
        assert first == second != ""

    def test_toolchain_explains_what_is_missing(self) -> None:
        for tool in self.make_backend().toolchain():
            assert isinstance(tool, ToolStatus)
            assert tool.name
            assert tool.found or tool.meaning, f"{tool.name} is missing and nothing says what that costs"

    def test_accepts_its_unit(self) -> None:
        assert list(self.make_backend().validate(self.make_unit())) == []

    def test_emits_every_format(self) -> None:
        backend = self.make_backend()
        assert len(set(backend.formats)) == len(backend.formats)
        for format in backend.formats:
            text = backend.emit(self.make_unit(), format, Options())
            assert isinstance(text, str | bytes)
            assert text
            assert text == backend.emit(self.make_unit(), format, Options()), f"{format} differs between two calls"

    def test_builds_inside_its_workspace_the_same_bytes_anywhere(self) -> None:
        first, second = self.build(Options()), self.build(Options())
        assert first == second

    def test_reuses_objects_without_changing_the_result(self) -> None:
        store = MemoryStore()
        assert self.build(Options(), store) == self.build(Options(), store)

    def build(self, options: Options, store: MemoryStore | None = None) -> dict[str, bytes]:
        """Build the unit in a fresh folder: the files by name."""
        folder = Path(tempfile.mkdtemp(prefix="ppy-conformance-"))
        try:
            unit = self.make_unit()
            built = self.make_backend().build(unit, Workspace(folder, store or MemoryStore()), options)
            self.check_built(unit, built, folder)
            files = sorted(file for file in folder.rglob("*") if file.is_file())
            return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def check_built(self, unit: Unit, built: BuiltUnit, folder: Path) -> None:
        """The result's shape: files inside the workspace, every function accounted for."""
        assert isinstance(built, BuiltUnit)
        assert (built.library is None) == (built.format == ""), "a library has a format, nothing else has"
        if built.library is not None:
            assert built.library.is_file(), f"{built.library} is missing"
            assert folder in built.library.parents, f"{built.library} is outside the workspace"
        assert {f.sym for f in built.functions} == {f.sym for f in unit.functions}
        for function in built.functions:
            assert function.native != bool(function.reason), f"{function.qualname}: native, or Python with a reason"
