"""The compiler behind the import hook: a `.ppy` module imported from plain Python is compiled once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MAIN = (
    "import ppy, sys\nimport geometry\n"
    "print(geometry.area(3, 4), any(name.startswith('ppy_compiler') for name in sys.modules))\n"
)
GEOMETRY = "import inner\n\n\ndef area(w, h):\n    return inner.mul(w, h)\n"
INNER = "def mul(a, b):\n    return a * b\n"


def test_an_import_compiles_once(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", MAIN)
    tiny.write("geometry.ppy", GEOMETRY)
    tiny.write("inner.ppy", INNER)
    first, second = tiny.python("main.py"), tiny.python("main.py")
    assert (first.status, first.out, first.err) == (0, "12 True\n", "")
    assert (second.status, second.out, second.err) == (0, "12 False\n", "")
    assert (tmp_path / "log").read_text().splitlines() == ["geometry: 2 functions", "inner: 2 functions"] * 2
    assert tiny.python("main.py", PPY_DISABLE="1").out == "12 False\n"


def test_what_cannot_be_compiled_runs_from_source(tiny: Any) -> None:
    tiny.environment.pop("PPY_STRICT_INTERNAL")
    tiny.write("main.py", MAIN)
    tiny.write("geometry.ppy", GEOMETRY + "def explode():\n    return 1\n")
    tiny.write("inner.py", INNER)
    done = tiny.python("main.py")
    assert (done.status, done.out, done.err) == (0, "12 True\n", "")
    tiny.write("geometry.ppy", "def area(:\n")
    assert "SyntaxError" in tiny.python("main.py").err


def test_the_configuration_holds_for_imports(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", MAIN)
    tiny.write("geometry.ppy", "def area(w, h):\n    return w * h\n")
    tiny.write("pyproject.toml", "[tool.ppy]\nengine = 'python'\n")
    assert tiny.python("main.py").out == "12 True\n"
    assert not (tmp_path / "log").exists()
