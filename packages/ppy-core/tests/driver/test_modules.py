from __future__ import annotations

from pathlib import Path

import pytest
from ppy_compiler.driver import stages
from ppy_compiler.driver.modules import Import, Reached, imports_from_text, imports_of, imports_to_text, reach
from ppy_compiler.support.source import Source


def read_imports(source: Source) -> tuple[Import, ...]:
    return imports_of(stages.python_ir(source, "m", stages.compiled(source)))


def walk(folder: Path, **files: str) -> Reached:
    for name, text in files.items():
        path = folder / (name.replace("__dot__", ".").replace("__slash__", "/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return reach(Source.read(folder / "main.py"), [str(folder)], read_imports)


def test_imports_as_they_are_written() -> None:
    text = "import a.b, c\nfrom d import e, f\nfrom . import g\nfrom ..i.j import *\ndef h():\n    import c\n"
    found = read_imports(Source.from_text(text))
    assert found == (
        Import("a.b"),
        Import("c"),
        Import("d", 0, ("e", "f")),
        Import("", 1, ("g",)),
        Import("i.j", 2, ("*",)),
    )
    assert imports_from_text(imports_to_text(found)) == found


def test_modules_beside_the_program(tmp_path: Path) -> None:
    found = walk(
        tmp_path,
        main__dot__py="import helper, json, sys\nfrom pkg import inner\nimport pkg.deep.leaf\n",
        helper__dot__ppy="import other\n",
        other__dot__py="import helper\n",
        pkg__slash____init____dot__py="",
        pkg__slash__inner__dot__py="from . import sibling\nfrom .deep import leaf\n",
        pkg__slash__sibling__dot__py="from .. import nothing\n",
        pkg__slash__deep__slash____init____dot__py="",
        pkg__slash__deep__slash__leaf__dot__py="",
        unused__dot__py="",
    )
    assert sorted(found.modules) == [
        "__main__", "helper", "other", "pkg", "pkg.deep", "pkg.deep.leaf", "pkg.inner", "pkg.sibling",
    ]  # fmt: skip
    assert found.modules["helper"].path == str(tmp_path / "helper.ppy")
    assert found.modules["pkg"].is_package
    assert found.unreadable == {}


def test_a_form_that_cpython_knows_comes_first(tmp_path: Path) -> None:
    found = walk(tmp_path, main__dot__py="import twin\n", twin__dot__py="", twin__dot__ppy="")
    assert found.modules["twin"].path.endswith("twin.py")


def test_absent_files_are_named_too(tmp_path: Path) -> None:
    found = walk(tmp_path, main__dot__py="import json\n")
    assert list(found.modules) == ["__main__"]
    assert str(tmp_path / "json.py") in found.looked_for  # appearing, it would hide the library's


def test_builtin_modules_cannot_be_hidden(tmp_path: Path) -> None:
    found = walk(tmp_path, main__dot__py="import sys\n", sys__dot__py="")
    assert list(found.modules) == ["__main__"]


def test_a_module_that_is_no_python_is_left_to_cpython(tmp_path: Path) -> None:
    found = walk(tmp_path, main__dot__py="import broken\n", broken__dot__py="def f(:\n")
    assert list(found.modules) == ["__main__"]
    assert isinstance(found.unreadable[str(tmp_path / "broken.py")], SyntaxError)


def test_the_entry_must_be_python(tmp_path: Path) -> None:
    with pytest.raises(SyntaxError):
        walk(tmp_path, main__dot__py="def f(:\n")


def test_source_roots(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "deep.py").write_text("")
    (tmp_path / "main.py").write_text("import deep\n")
    folders = [str(tmp_path), str(tmp_path / "lib")]
    found = reach(Source.read(tmp_path / "main.py"), folders, read_imports)
    assert found.modules["deep"].path == str(tmp_path / "lib" / "deep.py")
