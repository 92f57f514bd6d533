"""Loading and validating: each bad manifest has its own reason, and a remedy."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from ppy_runtime.manifest import ManifestError, RegionLibrary, host_runs, host_triple, load, problems, validate, write
from ppy_runtime.manifest.python import check_host
from ppy_runtime.manifest.regions import region_libraries
from ppy_runtime.manifest.schema import SchemaError

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "manifest_v1.json"


def rewritten(folder: Path, **changes: Any) -> str:
    data = json.loads((folder / "ppy-manifest.json").read_text())
    data.update(changes)
    (folder / "ppy-manifest.json").write_text(json.dumps(data))
    return str(folder)


@pytest.fixture
def folder(artifacts) -> Path:
    sources = {"__main__": "print('hi')\n", "helper": "x = 1\n"}
    return Path(artifacts.build(sources, {"__main__": "native"}).root)


def test_a_fresh_artifact_has_no_problems(folder: Path) -> None:
    manifest = load(str(folder), self_contained=True)
    assert problems(manifest) == []
    validate(manifest)
    assert manifest.entry["module"] == "__main__"
    assert manifest.unit("helper") is not None
    assert manifest.unit("nobody") is None
    assert [record["file"] for record in manifest.files()] == [
        "src/main.py",
        "code/__main__.marshal",
        "lib/__main__.so",
        "src/helper.py",
        "code/helper.marshal",
    ]


def test_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(ManifestError) as caught:
        load(str(tmp_path))
    assert caught.value.reason == "ppy-manifest.json cannot be read: No such file or directory"
    assert caught.value.remedy == "name the folder that `ppy build` wrote"


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"\xff\xfe", b"null", b'{"format": 1, "abi": 1}', b"[" * 100000, b'{"format": "1"}']
)
def test_damaged(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "ppy-manifest.json").write_bytes(text)
    with pytest.raises(ManifestError, match="is damaged") as caught:
        load(str(tmp_path))
    assert "ppy build" in caught.value.remedy


@pytest.mark.parametrize("field", ["format", "abi"])
def test_another_version(folder: Path, field: str) -> None:
    with pytest.raises(ManifestError, match=f"{field} version 7, this runtime knows 1") as caught:
        load(rewritten(folder, **{field: 7, "unknown to us": True}))
    assert caught.value.remedy == "install a newer ppy-runtime"
    with pytest.raises(ManifestError, match="version 0") as caught:
        load(rewritten(folder, **{"format": 1, "abi": 1} | {field: 0}))
    assert "older" in caught.value.remedy


def test_paths_may_not_leave_an_artifact(folder: Path) -> None:
    unit = json.loads((folder / "ppy-manifest.json").read_text())["units"][0]
    unit["source"]["file"] = "../outside.py"
    load(rewritten(folder, units=[unit]))
    with pytest.raises(ManifestError, match=r"names '\.\./outside\.py', outside the folder"):
        load(str(folder), self_contained=True)


@pytest.mark.parametrize(
    ("field", "value"),
    [("version", "3.9"), ("implementation", "pypy"), ("abiflags", "t"), ("magic", "00000000"), ("cache_tag", "x-1")],
)
def test_another_interpreter(folder: Path, field: str, value: str) -> None:
    python = json.loads((folder / "ppy-manifest.json").read_text())["python"]
    manifest = load(rewritten(folder, python=python | {field: value}))
    with pytest.raises(ManifestError, match="it was built for") as caught:
        check_host(manifest.document)
    assert value in caught.value.reason
    assert "build it again" in caught.value.remedy
    assert [str(problem) for problem in problems(manifest)] == [str(caught.value)]


def test_another_machine(folder: Path) -> None:
    manifest = load(rewritten(folder, target={"triple": "riscv64-unknown-linux-gnu", "features": []}))
    with pytest.raises(ManifestError, match="built for riscv64-unknown-linux-gnu") as caught:
        check_host(manifest.document)
    assert host_triple() in caught.value.remedy


def test_the_optimisation_level_is_no_reason_to_refuse(folder: Path) -> None:
    python = json.loads((folder / "ppy-manifest.json").read_text())["python"]
    check_host(load(rewritten(folder, python=python | {"optimize": 2})).document)


@pytest.mark.parametrize("file", ["src/main.py", "lib/__main__.so", "code/helper.marshal"])
def test_files_are_compared_by_content(folder: Path, file: str) -> None:
    manifest = load(str(folder))
    data = (folder / file).read_bytes()
    (folder / file).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert [problem.reason for problem in problems(manifest)] == [f"{file!r} was altered after the build"]
    (folder / file).unlink()
    with pytest.raises(ManifestError, match="is missing or cannot be read"):
        validate(manifest)


def test_writing_refuses_what_could_not_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        write(str(tmp_path), {"format": 1})  # type: ignore[typeddict-item]
    assert list(tmp_path.iterdir()) == []


def test_writing_is_deterministic_and_leaves_nothing_else(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    document = load(str(folder)).document
    write(str(other), dict(reversed(document.items())))  # type: ignore[arg-type]
    assert (other / "ppy-manifest.json").read_bytes() == (folder / "ppy-manifest.json").read_bytes()
    assert [path.name for path in other.iterdir()] == ["ppy-manifest.json"]


def test_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(ManifestError("why", "what to do")))
    assert (error.reason, error.remedy, str(error)) == ("why", "what to do", "why (what to do)")
    assert error.report("d") == "error[E1801]: the artifact in `d` cannot be used: why\n  help: what to do"


def test_regions(tmp_path: Path) -> None:
    (tmp_path / "ppy-manifest.json").write_bytes(GOLDEN.read_bytes())
    found = region_libraries(load(str(tmp_path)))
    assert found == {"__main__": RegionLibrary(f"{tmp_path}/lib/regions.so", {"block": "ppy_region_block"})}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("x86_64-unknown-linux-gnu", True),
        ("x86_64-pc-linux-musl", True),
        ("amd64-linux", True),
        ("aarch64-unknown-linux-gnu", False),
        ("x86_64-apple-darwin23", False),
        ("x86_64-pc-windows-msvc", False),
        ("x86_64", False),
        ("", False),
    ],
)
def test_host_runs(monkeypatch: pytest.MonkeyPatch, target: str, expected: bool) -> None:
    monkeypatch.setattr("ppy_runtime.manifest.python._machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "linux")
    assert host_runs(target) is expected


def test_host_runs_its_own_triple() -> None:
    assert host_runs(host_triple())
