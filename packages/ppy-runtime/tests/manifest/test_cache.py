"""The cache never makes an error and never gives back anything but what was put in."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ppy_runtime.manifest import cache as cache_module
from ppy_runtime.manifest.cache import Cache, content_key, leftovers, open_cache, project_directory

KEY = content_key("a key")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache([str(tmp_path / "first"), str(tmp_path / "second")])


def entry(root: Path) -> Path:
    return root / "v1" / "kind" / KEY[:2] / KEY


def test_entries(cache: Cache, tmp_path: Path) -> None:
    assert cache.get("kind", KEY) is None
    assert cache.put("kind", KEY, b"content\n\0") == str(tmp_path / "first")
    assert cache.get("kind", KEY) == b"content\n\0"
    assert cache.get("other", KEY) is None
    assert cache.put("kind", KEY, b"newer") == str(tmp_path / "first")
    assert cache.get("kind", KEY) == b"newer"
    assert (tmp_path / "first" / ".gitignore").read_text() == "*\n"
    assert (tmp_path / "first" / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert (tmp_path / "first").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", [b"", b"ppy-cache 1 ", b"ppy-cache 1 " + b"0" * 64 + b"\ncontent", b"\xff" * 100])
def test_a_damaged_entry_is_a_miss(cache: Cache, tmp_path: Path, damage: bytes) -> None:
    cache.put("kind", KEY, b"content")
    entry(tmp_path / "first").write_bytes(damage)
    assert cache.get("kind", KEY) is None
    cache.put("kind", KEY, b"content")
    assert cache.get("kind", KEY) == b"content"


def test_a_truncated_entry_is_a_miss(cache: Cache, tmp_path: Path) -> None:
    cache.put("kind", KEY, b"content" * 100)
    path = entry(tmp_path / "first")
    path.write_bytes(path.read_bytes()[:-1])
    assert cache.get("kind", KEY) is None


def test_a_damaged_directory_is_passed_over(cache: Cache, tmp_path: Path) -> None:
    (tmp_path / "first").write_text("a file where the directory should be")
    assert cache.put("kind", KEY, b"content") == str(tmp_path / "second")
    assert cache.get("kind", KEY) == b"content"
    (tmp_path / "second" / "v1" / "kind" / KEY[:2] / KEY).unlink()
    (tmp_path / "second" / "v1" / "kind" / KEY[:2] / KEY).mkdir()
    assert cache.get("kind", KEY) is None
    assert cache.put("kind", KEY, b"content") is None


def test_a_full_disk_falls_through(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def full(source: str, target: str) -> None:
        if str(tmp_path / "first") in target and "v1" in target:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert cache.put("kind", KEY, b"content") == str(tmp_path / "second")
    assert leftovers(str(tmp_path / "first")) == []
    monkeypatch.setattr(os, "mkdir", lambda *a: (_ for _ in ()).throw(OSError(errno.EROFS, "Read-only file system")))
    assert Cache([str(tmp_path / "third")]).put("kind", KEY, b"content") is None
    assert Cache([str(tmp_path / "third")]).put_tree("kind", KEY, {"a": b""}) is None


def test_no_directory_at_all() -> None:
    nowhere = Cache(())
    assert nowhere.put("kind", KEY, b"") is None
    assert nowhere.get("kind", KEY) is None
    assert nowhere.put_tree("kind", KEY, {"a": b""}) is None
    assert nowhere.tree("kind", KEY) is None
    assert nowhere.usage() == []
    assert nowhere.clear() == 0


def test_somebody_elses_directory_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache([str(tmp_path / "theirs")])
    cache.put("kind", KEY, b"content")
    owner = (tmp_path / "theirs").stat().st_uid
    monkeypatch.setattr(cache_module, "_user_id", lambda: owner + 12345)
    if owner != 0:
        assert cache.get("kind", KEY) is None
        assert cache.put("kind", KEY, b"content") is None
        return
    os.chown(tmp_path / "theirs", 54321, -1)
    assert cache.get("kind", KEY) is None
    assert cache.put("kind", KEY, b"content") is None


def test_trees(cache: Cache, tmp_path: Path) -> None:
    assert cache.tree("kind", KEY) is None
    folder = cache.put_tree("kind", KEY, {"a": b"1", "lib/b": b"2"})
    assert folder is not None
    assert folder == cache.tree("kind", KEY) == next(cache.tree_paths("kind", KEY))
    assert {str(p.relative_to(folder)): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()} == {
        "a": b"1",
        "lib/b": b"2",
    }
    assert cache.put_tree("kind", KEY, {"c": b"3"}) == folder
    assert os.listdir(folder) == ["c"]
    assert leftovers(str(tmp_path / "first")) == []


def test_a_tree_that_is_the_same_stays_for_who_is_reading_it(cache: Cache) -> None:
    files = {"a": b"1", "lib/b": b"2"}
    folder = cache.put_tree("kind", KEY, files)
    assert folder is not None
    before = os.stat(folder).st_ino
    assert cache.put_tree("kind", KEY, files) == folder
    assert os.stat(folder).st_ino == before
    for damage in (lambda f: f.write_bytes(b"x"), lambda f: f.unlink(), lambda f: (f.parent / "more").write_bytes(b"")):
        damage(Path(folder) / "a")
        assert cache.put_tree("kind", KEY, files) == folder
        assert sorted(p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()) == [b"1", b"2"]


def test_usage_and_clear(cache: Cache, tmp_path: Path) -> None:
    cache.put("kind", KEY, b"content")
    cache.put_tree("kind", KEY, {"a": b"12345"})
    (directory, files, size), *rest = cache.usage()
    assert (directory, files, rest) == (str(tmp_path / "first"), 2, [])
    assert size > 12
    (tmp_path / "first" / "mine.txt").write_text("not the cache's")
    assert cache.clear() == 2
    assert cache.get("kind", KEY) is None
    assert sorted(os.listdir(tmp_path / "first")) == [".gitignore", "CACHEDIR.TAG", "mine.txt"]


def test_keys_do_not_collide_by_concatenation() -> None:
    lists = [("ab", "c"), ("a", "bc"), ("abc",), ("ab", "c", ""), (b"ab", "c"), ("ab", b"c"), ()]
    assert len({content_key(*parts) for parts in lists}) == len(lists)
    assert content_key("\udcff") != content_key("?")


def test_the_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PPY_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(sys, "platform", "linux")
    last = [str(tmp_path / "xdg" / "ppy"), str(tmp_path / "tmp" / f"ppy-cache-{os.geteuid()}")]
    project = tmp_path / "project"
    (project / "src" / "deep").mkdir(parents=True)
    lone = open_cache(str(tmp_path))
    assert project_directory(str(tmp_path)) is None
    assert list(lone.roots) == last
    (project / "pyproject.toml").touch()
    assert list(open_cache(str(project / "src" / "deep")).roots) == [str(project / ".ppy-cache"), *last]
    assert list(open_cache(str(project), str(tmp_path / "asked")).roots) == [str(tmp_path / "asked"), *last]
    monkeypatch.setenv("PPY_CACHE_DIR", str(tmp_path / "told"))
    assert list(open_cache(str(project)).roots) == [str(tmp_path / "told"), *last]
    monkeypatch.setenv("PPY_CACHE_DIR", "none")
    assert open_cache(str(project)).roots == ()
    monkeypatch.delenv("PPY_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "relative")
    assert list(open_cache(str(tmp_path)).roots) == last[1:]


WRITERS = """
import sys
from ppy_runtime.manifest.cache import Cache, content_key
cache, key, letter = Cache([sys.argv[1]]), content_key("shared"), sys.argv[2].encode()
print("ready", flush=True)
for _ in range(int(sys.argv[3])):
    cache.put("kind", key, letter * 5000)
    cache.put_tree("kind", key, {"a": letter * 5000, "b": letter * 5000})
    found = cache.get("kind", key)
    assert found is None or (len(found) == 5000 and len(set(found)) == 1), found
"""


def writer(root: Path, letter: str, rounds: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITERS, str(root), letter, str(rounds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_may_write_the_same(tmp_path: Path) -> None:
    processes = [writer(tmp_path, letter, 60) for letter in "xy"]
    for process in processes:
        _, error = process.communicate(timeout=60)
        assert (process.returncode, error) == (0, "")
    tree = Cache([str(tmp_path)]).tree("kind", content_key("shared"))
    assert tree is not None
    assert (Path(tree) / "a").read_bytes() == (Path(tree) / "b").read_bytes()
    assert leftovers(str(tmp_path)) == []


def test_a_killed_writer_leaves_a_usable_cache(tmp_path: Path) -> None:
    process = writer(tmp_path, "x", 10**6)
    assert process.stdout is not None
    process.stdout.readline()
    cache = Cache([str(tmp_path)])
    while cache.get("kind", content_key("shared")) is None:
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert cache.get("kind", content_key("shared")) == b"x" * 5000
    assert cache.put("kind", content_key("shared"), b"next") is not None
    assert cache.get("kind", content_key("shared")) == b"next"
    cache.clear()
    assert leftovers(str(tmp_path)) == []
