from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from ppy_compiler.backends.linkers import CANDIDATES, find_linker, link_shared, linker_status
from ppy_compiler.diagnostics.code import DiagnosticError


def fake(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_no_linker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("ppy_compiler.backends.linkers._has_ziglang", lambda: False)
    with pytest.raises(DiagnosticError) as error:
        link_shared([tmp_path / "x.o"], tmp_path / "x.so", "main.py")
    assert error.value.diagnostic.code == "E2101"
    assert [tool.found for tool in linker_status()] == [False] * len(CANDIDATES)
    assert all(tool.meaning for tool in linker_status())


def test_tool_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, "broken", "echo 'no such architecture' >&2; exit 3")
    monkeypatch.setenv("CC", str(tmp_path / "broken"))
    with pytest.raises(DiagnosticError) as error:
        link_shared([tmp_path / "x.o"], tmp_path / "x.so", "main.py")
    assert error.value.diagnostic.code == "E2102"
    assert "status 3: no such architecture" in error.value.diagnostic.message


def test_a_linker_that_makes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, "idle", "exit 0")
    monkeypatch.setenv("CC", str(tmp_path / "idle"))
    with pytest.raises(DiagnosticError) as error:
        link_shared([tmp_path / "x.o"], tmp_path / "x.so")
    assert error.value.diagnostic.code == "E2102"


def test_cc_decides(tmp_path: Path) -> None:
    fake(tmp_path, "mycc", "exit 0")
    fake(tmp_path, "ld", "exit 0")
    linker = find_linker({"CC": "mycc -m64", "PATH": str(tmp_path)})
    assert linker is not None
    assert (linker.command, linker.is_driver) == (("mycc", "-m64"), True)
    plain = find_linker({"PATH": str(tmp_path)})
    assert plain is not None
    assert (plain.name, plain.is_driver) == ("ld", False)
    assert find_linker({"CC": "absent", "PATH": str(tmp_path)}) is None


@pytest.mark.toolchain
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_every_linker_here_links_reproducibly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "x.c"
    source.write_text("int answer(void) { return 42; }\n")
    assert os.system(f"gcc -c -fPIC -o '{tmp_path}/x.o' '{source}'") == 0
    monkeypatch.delenv("CC", raising=False)
    outputs = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        link_shared([tmp_path / "x.o"], tmp_path / folder / "x.so")
        outputs.append((tmp_path / folder / "x.so").read_bytes())
    assert outputs[0] == outputs[1]
    import ctypes

    assert ctypes.CDLL(str(tmp_path / "a" / "x.so")).answer() == 42
