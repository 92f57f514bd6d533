from __future__ import annotations

import enum
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest
from ppy_compiler.support.fingerprints import (
    fingerprint,
    fingerprint_files,
    fingerprint_package,
    package_files,
)


class Colour(enum.Enum):
    RED = 1


@dataclass(frozen=True)
class Options:
    level: int
    names: tuple[str, ...]


VALUES: list[object] = [
    None, True, False, 0, 1, -1, 1.0, 0.0, -0.0, "", "1", b"1", "é", (), (1,), (1, 2), ("ab", "c"), ("a", "bc"),
    ((1,), 2), (1, (2,)), {1, 2}, {1: 2}, {"a": {"b": 1}}, Colour.RED, Options(1, ("a",)), Options(1, ("a", "b")),
    PurePosixPath("1"), 2**80,
]  # fmt: skip


def test_different_values_differ() -> None:
    assert len({fingerprint(value) for value in VALUES}) == len(VALUES)
    assert fingerprint(1, 2) != fingerprint((1, 2))


def test_order_matters_only_where_it_means_something() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint({"b", "a", "c"}) == fingerprint(frozenset({"c", "b", "a"}))
    assert fingerprint([1, 2]) == fingerprint((1, 2)) != fingerprint([2, 1])


def test_stable_between_processes() -> None:
    code = "from ppy_compiler.support.fingerprints import fingerprint; print(fingerprint({'x', 'y', 'z'}, {'k': 1.5}))"
    environ = dict(os.environ)
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env=environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_objects_without_a_value_are_refused() -> None:
    with pytest.raises(TypeError, match="object has no fingerprint"):
        fingerprint([object()])
    with pytest.raises(TypeError):
        fingerprint(Options)


def test_files_by_name_and_content_wherever_the_folder_lies(tmp_path: Path) -> None:
    prints: list[str] = []
    for name in ("one", "two"):
        root = tmp_path / name
        (root / "sub" / "__pycache__").mkdir(parents=True)
        (root / "sub" / "__pycache__" / "a.cpython-311.pyc").write_bytes(name.encode())
        (root / "sub" / "a.py").write_text("x = 1\n")
        (root / "b.ll").write_text("; ir\n")
        assert package_files(root) == ["b.ll", "sub/a.py"]
        prints.append(fingerprint_files(root, package_files(root)))
    assert prints[0] == prints[1]
    (tmp_path / "two" / "b.ll").write_text("; other\n")
    assert fingerprint_files(tmp_path / "two", ["b.ll", "sub/a.py"]) != prints[0]


def test_packages_are_found_without_importing_them() -> None:
    assert len(fingerprint_package("ppy_compiler.support")) == 64
    assert fingerprint_package("ppy_compiler.support") != fingerprint_package("ppy_compiler")
    before = set(sys.modules)
    fingerprint_package("wsgiref")
    assert "wsgiref" not in set(sys.modules) - before
    with pytest.raises(ModuleNotFoundError):
        fingerprint_package("no_such_package")
