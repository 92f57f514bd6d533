"""The compile cache and artifacts."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pjrt_programs import ADD, SLOW
from ppy_pjrt.artifact import Artifact
from ppy_pjrt.cache import CompileCache
from ppy_pjrt.client import Client
from ppy_pjrt.errors import ArtifactMismatch, DataLoss
from ppy_pjrt.folders import default_folder
from ppy_pjrt.options import CompileOptions

X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.host
def test_entries_are_whole_or_misses(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path)
    key = "ab" + "0" * 62
    assert cache.get(key) is None
    cache.put(key, b"blob")
    assert cache.get(key) == b"blob"
    (path,) = tmp_path.glob("??/*")
    for damage in (b"", b"short", path.read_bytes()[:-1], path.read_bytes()[:-1] + b"x", b"X" + path.read_bytes()[1:]):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(damage)
        assert cache.get(key) is None and not path.exists(), "a damaged entry goes"
        cache.put(key, b"blob")
    assert (cache.hits, cache.misses) == (1, 6)
    cache.clear()
    assert cache.size() == 0


@pytest.mark.host
def test_the_size_is_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_bytes=400)
    for index in range(6):
        key = f"{index:02x}" + "0" * 62
        cache.put(key, bytes(60))
        for path in tmp_path.glob(f"{index:02x}/*"):
            os.utime(path, (index, index))
    assert cache.size() <= 400
    assert cache.get("00" + "0" * 62) is None and cache.get("05" + "0" * 62) == bytes(60)


@pytest.mark.host
def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    CompileCache(blocked).put("ab" + "0" * 62, b"x")


@pytest.mark.host
def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PPY_PJRT_CACHE_DIR", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("PPY_PJRT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "ppy-pjrt"


@pytest.mark.cpu
def test_every_part_changes_the_key(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = CompileCache(tmp_path)
    keys = {cache.key(client, ADD, b"", None)}
    keys.add(cache.key(client, ADD + " ", b"", None))
    keys.add(cache.key(client, ADD, CompileOptions().encode(), None))
    keys.add(cache.key(client, ADD, b"", "hlo"))
    monkeypatch.setenv("XLA_FLAGS", "--xla_x=1")
    keys.add(cache.key(client, ADD, b"", None))
    with Client(client.plugin, options={"cpu_device_count": 1}) as other:
        keys.add(cache.key(other, ADD, b"", None))
    assert len(keys) == 6


@pytest.mark.cpu
def test_a_warm_start_is_faster(client: Client, tmp_path: Path) -> None:
    cache = CompileCache(tmp_path)
    start = time.process_time()
    client.compile(SLOW, cache=cache)
    cold = time.process_time() - start
    start = time.process_time()
    client.compile(SLOW, cache=cache)
    assert cache.hits == 1
    assert time.process_time() - start < cold


@pytest.mark.cpu
def test_an_entry_the_plugin_refuses_is_compiled_again(client: Client, tmp_path: Path) -> None:
    cache = CompileCache(tmp_path)
    cache.put(cache.key(client, ADD, CompileOptions().encode(ADD), None), b"whole, but no executable")
    assert client.compile(ADD, cache=cache)(X, X)[0].tolist() == (2 * X).tolist()
    client.compile(ADD, cache=cache)
    assert cache.hits == 2


@pytest.mark.cpu
def test_artifacts_run_without_compiling(client: Client, tmp_path: Path) -> None:
    artifact = Artifact.build(client, ADD, author="test")
    artifact.write(tmp_path / "add.ppyx")
    again = Artifact.read(tmp_path / "add.ppyx")
    assert again == artifact and again.to_bytes() == artifact.to_bytes()
    assert again.signature == "(float32[2,3], float32[2,3]) -> (float32[2,3])" and again.metadata == {"author": "test"}
    assert again.load(client, strict=True)(X, X)[0].tolist() == (2 * X).tolist()


@pytest.mark.cpu
def test_an_artifact_of_an_executable_alone(client: Client) -> None:
    artifact = client.compile(ADD).to_artifact(kind="hlo")
    assert artifact.load(client, strict=True)(X, X)[0].tolist() == (2 * X).tolist()
    artifact.executables.clear()
    assert artifact.load(client)(X, X)[0].tolist() == (2 * X).tolist()


@pytest.mark.cpu
def test_strict_loading_names_every_reason(client: Client) -> None:
    artifact = Artifact.build(client, ADD)
    key = next(iter(artifact.executables))
    artifact.executables = {"other": artifact.executables[key]}
    artifact.platforms = {"other": "cuda PJRT 0.1 abc"}
    with pytest.raises(ArtifactMismatch, match="compiled by cuda PJRT 0.1 abc; this is cpu PJRT 0"):
        artifact.load(client, strict=True)
    assert artifact.load(client)(X, X)[0].tolist() == (2 * X).tolist()


@pytest.mark.host
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.integers(0, 400), st.integers(0, 255))
def test_damaged_artifacts_are_refused(place: int, value: int) -> None:
    raw = bytearray(Artifact(b"program", metadata={"a": "b"}, executables={"k": b"x"}, platforms={"k": "w"}).to_bytes())
    raw[place % len(raw)] ^= value or 1
    with pytest.raises(DataLoss):
        Artifact.from_bytes(bytes(raw))


@pytest.mark.host
def test_truncated_and_future_artifacts() -> None:
    raw = Artifact(b"program").to_bytes()
    for cut in (0, 5, 20, len(raw) - 1):
        with pytest.raises(DataLoss):
            Artifact.from_bytes(raw[:cut])
    with pytest.raises(DataLoss, match="format 9"):
        Artifact.from_bytes(raw[:7] + b"\x09" + raw[8:])
