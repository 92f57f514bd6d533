"""`ppy init`: whole distributions, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("kind", ["plugin", "backend"])
def test_it_makes_a_distribution(ppy: Any, kind: str) -> None:
    done = ppy("init", f"--{kind}", "shapes")
    folder = ppy.folder / f"ppy-{kind}-shapes"
    assert done.status == 0
    made = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert done.out.splitlines() == made
    assert "pyproject.toml" in made
    assert f"src/ppy_{kind}s/shapes/{kind}.py" in made
    for path in folder.rglob("*"):
        assert path.is_dir() or "foo" not in path.read_text(encoding="utf-8").lower(), path
    assert [path.name for path in ppy.folder.iterdir()] == [folder.name]


def test_what_is_there_stays(ppy: Any) -> None:
    ppy.write("ppy-plugin-shapes", "mine")
    done = ppy("init", "--plugin", "shapes")
    assert (done.status, done.out) == (2, "")
    assert "error[E2004]: `ppy-plugin-shapes` cannot be made: it is there already" in done.err
    assert (ppy.folder / "ppy-plugin-shapes").read_text() == "mine"
    assert ppy("init", "--plugin", "shapes", "-o", "other").status == 0
    assert (ppy.folder / "other" / "src" / "ppy_plugins" / "shapes" / "plugin.py").is_file()


@pytest.mark.parametrize("name", ["my-lib", "a.b", "class", "", "1st", "größe"])
def test_a_name_that_cannot_be_imported(ppy: Any, name: str) -> None:
    done = ppy("init", "--plugin", name)
    assert done.status == 2
    assert f"{name!r} is no name that Python can import" in done.err
    assert list(ppy.folder.iterdir()) == []


def test_a_folder_that_cannot_be(ppy: Any) -> None:
    done = ppy("init", "--plugin", "shapes", "-o", "absent/shapes")
    assert done.status == 2
    assert "there is no folder absent" in done.err


def test_usage(ppy: Any) -> None:
    assert ppy("init").status == 2
    assert ppy("init", "--plugin", "a", "--backend", "b").status == 2
