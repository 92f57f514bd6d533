"""Stored units: filed whole, read back verified, and never an error whatever the disk is like."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ppy_compiler.backends import Options, UnitFunction
from ppy_compiler.build.keys import BuildContext, compiler_fingerprint, unit_key
from ppy_compiler.build.objects import ObjectCache
from ppy_compiler.build.units import StoredUnit, UnitContent, load_unit, store_unit
from ppy_compiler.diagnostics.codes.warnings import CACHE_UNAVAILABLE
from ppy_compiler.driver.programs import ProgramBuilder
from ppy_compiler.driver.session import Session
from ppy_runtime.manifest.cache import Cache

KEY = "ab" * 32
FUNCTIONS = (UnitFunction("f", "f", (0,), True), UnitFunction("<module>", "<module>", (), False, "R4006"))


def content(library: bytes = b"\x7fELF") -> UnitContent:
    return UnitContent(b"code", ("m.so", library), "shared", "layout", FUNCTIONS)


def stored(cache: Cache) -> StoredUnit:
    unit = store_unit(cache, KEY, content())
    assert unit is not None
    return unit


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    cache = Cache([str(tmp_path / "cache")])
    assert load_unit(cache, KEY) is None
    assert stored(cache) == load_unit(cache, KEY)


@pytest.mark.parametrize("damage", ["truncate", "alter", "remove", "record"])
def test_a_damaged_unit_is_not_there(tmp_path: Path, damage: str) -> None:
    cache = Cache([str(tmp_path / "cache")])
    unit = stored(cache)
    assert unit.library is not None
    library = Path(unit.path(unit.library))
    if damage == "truncate":
        library.write_bytes(b"")
    elif damage == "alter":
        library.write_bytes(b"\x7fELG")
    elif damage == "remove":
        library.unlink()
    else:
        (record,) = (tmp_path / "cache" / "v1" / "unit").rglob(KEY)
        record.write_bytes(record.read_bytes()[:-3])
    assert load_unit(cache, KEY) is None
    assert stored(cache) == load_unit(cache, KEY)


def test_a_directory_that_takes_nothing_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache([str(tmp_path / "file" / "cache"), str(tmp_path / "good")])
    assert stored(cache).folder.startswith(str(tmp_path / "good"))


def test_no_cache_directory(tmp_path: Path) -> None:
    assert store_unit(Cache(()), KEY, content()) is None
    session = Session(str(tmp_path), {"cache-dir": "none"})
    builder = ProgramBuilder(session)
    temporary = builder.temporary_cache()
    assert stored(temporary) == load_unit(temporary, KEY)
    assert [found.code for found in session.sink.diagnostics] == [CACHE_UNAVAILABLE.code]


def test_objects(tmp_path: Path) -> None:
    objects = ObjectCache(Cache([str(tmp_path)]))
    assert objects.get(KEY) is None
    objects.put(KEY, b"object")
    assert objects.get(KEY) == b"object"
    assert (objects.hits, objects.misses) == (1, 1)
    ObjectCache(Cache(())).put(KEY, b"object")  # nowhere to put it is no error


def test_killed_while_writing(tmp_path: Path) -> None:
    """A process that dies in the middle of a write leaves nothing that anybody reads."""
    script = f"""
import os
from ppy_runtime.manifest import cache, files
real = os.rename
os.rename = lambda *a: os.kill(os.getpid(), 9)
cache.Cache([{str(tmp_path / "cache")!r}]).put_tree("unit", {KEY!r}, {{"code.marshal": b"half"}})
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -9
    cache = Cache([str(tmp_path / "cache")])
    assert load_unit(cache, KEY) is None
    assert stored(cache) == load_unit(cache, KEY)


def test_two_processes_store_the_same_unit(tmp_path: Path) -> None:
    script = f"""
from ppy_compiler.backends import UnitFunction
from ppy_compiler.build.units import UnitContent, load_unit, store_unit
from ppy_runtime.manifest.cache import Cache
cache = Cache([{str(tmp_path / "cache")!r}])
for _ in range(30):
    assert store_unit(cache, {KEY!r}, UnitContent(b"code", ("m.so", b"library"), "shared", "", ())) is not None
"""
    both = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert load_unit(Cache([str(tmp_path / "cache")]), KEY) is not None


def context(**options: object) -> BuildContext:
    return BuildContext("compiler", "backend", Options(**options))  # type: ignore[arg-type]


def test_everything_that_matters_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    base = unit_key(context(), "m", "digest", (), False)
    monkeypatch.delenv("PPY_FAIL_GUARDS", raising=False)
    others = [
        unit_key(context(opt_level=0), "m", "digest", (), False),
        unit_key(context(opt_level=2), "m", "digest", (), False),
        unit_key(context(unsafe=True), "m", "digest", (), False),
        unit_key(context(debug=True), "m", "digest", (), False),
        unit_key(context(cpu="native"), "m", "digest", (), False),
        unit_key(context(), "n", "digest", (), False),
        unit_key(context(), "m", "other", (), False),
        unit_key(context(), "m", "digest", (("numpy", "1"),), False),
        unit_key(context(), "m", "digest", (), True),
        unit_key(BuildContext("other", "backend", Options()), "m", "digest", (), False),
        unit_key(BuildContext("compiler", "other", Options()), "m", "digest", (), False),
    ]
    monkeypatch.setenv("PPY_FAIL_GUARDS", "1")
    others.append(unit_key(context(), "m", "digest", (), False))
    assert len({base, *others}) == len(others) + 1


def test_the_compiler_knows_itself() -> None:
    assert compiler_fingerprint() == compiler_fingerprint()
    assert os.environ.get("PYTHONHASHSEED") is None or compiler_fingerprint()
