"""A ticket is good for exactly as long as everything the build read is as it was."""

from __future__ import annotations

import marshal
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ppy_runtime.manifest import Manifest, find_ticket, open_cache, sha256_of, ticket_key, write_ticket
from ppy_runtime.manifest.cache import Cache

LATER = 10**12
"""Nanoseconds into the future: the files of these tests were all written just now."""


@dataclass
class Case:
    root: Path
    manifest: Manifest
    cache: Cache
    source: Path
    compiler: Path

    def key(self, **options: str) -> str:
        return ticket_key(str(self.source), options)

    def write(self) -> bool:
        return write_ticket(
            self.cache,
            self.key(),
            self.manifest,
            inputs=[str(self.source), str(self.root / "absent.py")],
            trees=[str(self.compiler)],
            now_ns=time.time_ns() + LATER,
        )

    def find(self) -> Manifest | None:
        return find_ticket(self.cache, self.key())


@pytest.fixture
def case(artifacts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    for name in [name for name in os.environ if name.startswith("PPY_")]:
        monkeypatch.delenv(name)
    site = tmp_path / "lib" / "site-packages"
    site.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(site), *[p for p in sys.path if "site-packages" not in p]])
    manifest = artifacts.build({"__main__": "print(1)\n"})
    compiler = tmp_path / "compiler"
    (compiler / "inner" / "__pycache__").mkdir(parents=True)
    (compiler / "inner" / "module.py").write_text("x = 1")
    source = Path(manifest.root) / "src" / "main.py"
    made = Case(tmp_path, manifest, open_cache(explicit=str(tmp_path / "cache")), source, compiler)
    assert made.write()
    return made


def test_found_as_long_as_nothing_changed(case: Case) -> None:
    found = case.find()
    assert found is not None
    assert found.document == case.manifest.document
    assert found.root == case.manifest.root
    (case.compiler / "inner" / "__pycache__" / "module.pyc").write_text("bytecode does not count")
    assert case.find() is not None


def same_size_same_time(case: Case) -> None:
    status = case.source.stat()
    case.source.write_text("print(2)\n")
    os.utime(case.source, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert case.source.stat().st_size == status.st_size


def newer_interpreter_record(case: Case) -> None:
    case.manifest.document["python"]["magic"] = "00000000"
    case.write()


CHANGES: dict[str, Callable[[Case], object]] = {
    "source edited within one tick, same size": same_size_same_time,
    "source gone": lambda case: case.source.unlink(),
    "a module appears where one was looked for": lambda case: (case.root / "absent.py").touch(),
    "compiler edited": lambda case: (case.compiler / "inner" / "module.py").write_text("x = 22"),
    "compiler file added": lambda case: (case.compiler / "new.py").touch(),
    "compiler file removed": lambda case: (case.compiler / "inner" / "module.py").unlink(),
    "a distribution installed": lambda case: (case.root / "lib" / "site-packages" / "x.dist-info").mkdir(),
    "another interpreter": newer_interpreter_record,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_a_miss(case: Case, change: str) -> None:
    CHANGES[change](case)
    assert case.find() is None


def test_a_damaged_ticket_is_a_miss(case: Case) -> None:
    for path in (case.root / "cache" / "v1" / "ticket").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-3])
    assert case.find() is None


def test_another_version_of_tickets_is_a_miss(case: Case) -> None:
    payload = case.cache.get("ticket", case.key())
    assert payload is not None
    ticket = marshal.loads(payload)
    ticket["version"] = [99, 1, 1]
    case.cache.put("ticket", case.key(), marshal.dumps(ticket))
    assert case.find() is None


def test_an_outdated_ticket_does_not_hide_a_later_one(case: Case) -> None:
    """The project's cache became read-only after a first build; the next build's ticket went to the user's."""
    chain = Cache([*case.cache.roots[:1], str(case.root / "second")])
    case.source.write_text("print(2)\n")
    assert find_ticket(chain, case.key()) is None
    digest = sha256_of(case.source.read_bytes())
    case.manifest.document["units"][0]["source"]["sha256"] = digest  # type: ignore[index]
    case.cache = Cache([str(case.root / "second")])
    assert case.write()
    found = find_ticket(chain, case.key())
    assert found is not None
    assert found.entry["source"]["sha256"] == digest


def test_a_compiler_changed_while_building_leaves_no_ticket(case: Case) -> None:
    now = time.time_ns()
    (case.compiler / "inner" / "module.py").write_text("x = 3")
    assert not write_ticket(case.cache, case.key(), case.manifest, inputs=[], trees=[str(case.compiler)], now_ns=now)
    missing = [str(case.compiler / "nowhere")]
    assert not write_ticket(case.cache, case.key(), case.manifest, inputs=[], trees=missing, now_ns=now + LATER)


def test_a_source_changed_while_building_leaves_no_ticket(case: Case) -> None:
    case.source.write_text("print('edited while the build ran')\n")
    assert not case.write()
    assert case.find() is None


def test_keys(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [case.key(), case.key(O="0"), case.key(O="2"), case.key(O="0", unsafe="1"), case.key(unsafe="1")]
    keys += [ticket_key(str(case.source), {}, "other"), ticket_key(str(case.source) + "x", {})]
    monkeypatch.setenv("PPY_STRICT", "1")
    keys.append(case.key())
    monkeypatch.setenv("PPY_STRICT", "0")
    keys.append(case.key())
    monkeypatch.delenv("PPY_STRICT")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    keys.append(case.key())
    assert len(set(keys)) == len(keys)
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.setenv("PPY_VERBOSE", "1")
    assert case.key() == keys[0]
